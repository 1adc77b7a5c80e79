import type { Client } from '@unified/sdk';
import { connectionById } from '@unified/store';
import { checkedFetch, signIn } from '@unified/testing';
import { afterEach, expect, test, vi } from 'vitest';
import { createBook } from '../../../test-systems/gnucash/book.ts';
import { executeIn, startMariaDb } from '../../connectors/test/running-mariadb.ts';
import { sdkClient } from './sdk-client.ts';
import { START_MS, type Stack, startStack } from './stack.ts';
import { startTrade } from './trade.ts';

const PATIENCE = { timeout: 180_000, interval: 500 };
const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

interface Mapping {
  readonly revision: number;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly derivation: { readonly state: string } | null;
}
interface Draft {
  readonly stream: string;
  readonly customStream: object | null;
  readonly fields: Readonly<Record<string, unknown>>;
}
interface Row {
  readonly record: Readonly<Record<string, unknown>> | null;
  readonly problems: readonly string[];
}

/** Calls the Management API, as an application does. */
function managing(stack: Stack, token: string) {
  return async <Data>(method: string, path: string, json?: object): Promise<Data> => {
    const headers = { authorization: `Bearer ${token}` };
    const sent = { method, headers, ...(json && { json }) };
    const { status, body } = await checkedFetch<{ data: Data }>(`${stack.baseUrl}/v4${path}`, sent);
    expect(status, JSON.stringify(body)).toBeLessThan(300);
    return body.data;
  };
}

interface Journey {
  readonly stack: Stack;
  readonly client: Client;
  readonly token: string;
  readonly connectionId: string;
  readonly entity: 'Asset' | 'Location';
  readonly table: string;
  /** A field whose word is edited, with the prefix that it gets. */
  readonly edit: (fields: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
  readonly names: () => Promise<string[]>;
}

/** Discovers a table that nothing reads, drafts, edits, tests, previews and activates its mapping, and takes it back. */
async function journey({ stack, token, connectionId, entity, table, edit, names }: Journey): Promise<void> {
  const call = managing(stack, token);
  const base = `/connections/${connectionId}`;
  const path = `${base}/field-mappings/${entity}`;
  const derived = () =>
    vi.waitFor(async () => {
      await names();
      expect((await call<Mapping>('GET', path)).derivation?.state).toBe('completed');
    }, PATIENCE);
  const before = await names();
  const [source] = await call<readonly { fields: string[]; stream: string | null }[]>(
    ...(['GET', `${base}/source-tables?table=${encodeURIComponent(table)}`] as const),
  );
  expect(source).toMatchObject({ stream: null, fields: expect.arrayContaining(['id']) });
  const draft = await call<Draft>('POST', `${path}/actions/draft`, { table });
  expect(Object.keys(draft.fields)).toContain('name');
  if (draft.customStream) await call('PUT', `${base}/custom-streams`, { streams: [draft.customStream] });
  const copied = async () =>
    expect(
      (await call<readonly { rows: number }[]>('GET', `${base}/source-tables?table=${encodeURIComponent(table)}`))[0]
        ?.rows,
    ).toBeGreaterThan(0);
  await vi.waitFor(copied, PATIENCE);
  const mapping = { stream: draft.stream, fields: edit(draft.fields) };
  const { rows } = await call<{ rows: readonly Row[] }>('POST', `${path}/actions/test-fetch`, { ...mapping, limit: 3 });
  expect(rows.filter(({ record }) => record !== null).length).toBeGreaterThan(0);
  expect(rows.flatMap(({ problems }) => problems)).toEqual([]);
  const preview = await call<{ created: number }>('POST', `${path}/actions/preview`, mapping);
  const saved = await call<Mapping>('POST', path, mapping);
  expect(await names()).toEqual(before);
  await call('POST', `${path}/revisions/${saved.revision}/actions/activate`);
  await derived();
  const after = await names();
  expect(after).toHaveLength(preview.created);
  const shown = rows.flatMap(({ record }) => (record ? [String(record.name)] : []));
  expect(after).toEqual(expect.arrayContaining(shown));
  await call('POST', `${path}/revisions/0/actions/activate`);
  await derived();
  expect(await names()).toEqual(before);
  await call('POST', `${path}/revisions/${saved.revision}/actions/activate`);
  await derived();
  expect(await names()).toEqual(after);
}

const prefixed = (column: string) => ({ concat: { parts: [{ const: 'Mapped' }, column], separator: ' ' } });

test(
  'a model of Tryton that nothing reads becomes records, by API alone',
  async () => {
    const trade = await startTrade();
    stops.push(() => trade.stop());
    const { stack, client, connectionId } = trade;
    const connection = await connectionById(stack.database.store, connectionId);
    const { token } = await signIn(stack.database.store, stack.baseUrl, connection?.applicationId);
    const names = async () =>
      (await client.assets.list({ per_page: 100 })).data.map(({ name }) => String(name)).toSorted();
    const edit = (fields: Readonly<Record<string, unknown>>) => ({ name: prefixed(String(fields.name)) });
    await journey({ stack, client, token, connectionId, names, edit, entity: 'Asset', table: 'res.group' });
    const [asset] = (await client.assets.list({ per_page: 1, extend: ['lineage'] })).data;
    expect(asset).toMatchObject({
      lineage: {
        name: {
          ...{ stream: 'res.group', columns: [{ name: 'name', value: expect.any(String) }], revision: 1 },
          ...{ word: prefixed('name'), readAt: expect.any(String) },
        },
      },
    });
  },
  START_MS,
);

test(
  'a table of a MariaDB that nothing reads becomes records, by API alone',
  async () => {
    const server = await startMariaDb();
    stops.push(() => server.stop());
    await executeIn(
      server.url,
      `create table machines (id int primary key, name varchar(40), description varchar(200), serial_no varchar(20), purchased date);
     insert into machines values (1, 'Press', 'Hydraulic', 'P-1', '2020-05-01'), (2, 'Lathe', null, 'L-2', null)`,
    );
    await createBook(server.url);
    const stack = await startStack();
    stops.push(() => stack.stop());
    await stack.startWorker();
    const { token } = await signIn(stack.database.store, stack.baseUrl);
    const call = managing(stack, token);
    const connection = { platform: 'gnucash', name: 'Book', settings: { url: server.url } };
    const { id: connectionId } = await call<{ id: string }>('POST', '/connections', connection);
    const { token: own } = await call<{ token: string }>('POST', `/connections/${connectionId}/token`, {});
    const client = await sdkClient(stack.baseUrl, own);
    const names = async () =>
      (await client.assets.list({ per_page: 100 })).data.map(({ name }) => String(name)).toSorted();
    const edit = (fields: Readonly<Record<string, unknown>>) => ({ ...fields, name: prefixed(String(fields.name)) });
    await journey({ stack, client, token, connectionId, names, edit, entity: 'Asset', table: 'machines' });
    expect(await names()).toEqual(['Mapped Lathe', 'Mapped Press']);
    const [press] = (await client.assets.list({ filter: { name: 'Mapped Press' }, extend: ['lineage'] })).data;
    expect(press).toMatchObject({ lineage: { name: { columns: [{ name: 'name', value: 'Press' }], revision: 1 } } });
  },
  START_MS,
);
