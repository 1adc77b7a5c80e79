import { entities } from '@unified/contract';
import { deleteRecords, expireLogs, saveRecords } from '@unified/store';
import { api as startApi, type TestApi, type TestConnection } from '@unified/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

interface Change {
  readonly seq: number;
  readonly kind: string;
  readonly entity: string;
  readonly id: string;
  readonly fields: readonly string[];
  readonly href: string;
  readonly record?: Readonly<Record<string, unknown>> | null;
  readonly values?: Readonly<Record<string, unknown>> | null;
}
interface ChangePage {
  readonly meta: { readonly has_more: boolean; readonly next_cursor: string };
  readonly data: readonly Change[];
}

const LARGEST_RESPONSE = 200_000;

let api: TestApi;
let connection: TestConnection;

beforeAll(async () => {
  api = await startApi({ largestResponse: LARGEST_RESPONSE });
});
beforeEach(async () => {
  connection = await api.connect();
});
afterAll(() => api.stop());

const send = <Body = Record<string, unknown>>(path: string, sent: object = {}) =>
  api.fetch<Body>(`/v4${path}`, { token: connection.token, ...sent });
const changes = async (query: string, token = connection.token) =>
  (await send<ChangePage>(`/changes?${query}`, { token })).body;
const save = (entity: 'Vendor' | 'Currency', _idValue: string, name: string, more: object = {}) =>
  saveRecords(connection.scope, entities[entity], [
    { _source: 't', _idValue, values: { code: _idValue, name, ...more }, references: {} },
  ]);
const remove = (_idValue: string) =>
  deleteRecords(connection.scope, entities.Vendor, 't', [_idValue], '2026-11-20T09:30:00Z');

describe('the change log', () => {
  it('returns the created and updated records in order, with their fields and addresses', async () => {
    const { ids } = await save('Vendor', '1', 'ACME');
    await save('Vendor', '1', 'ACME Ltd.');
    const { meta, data } = await changes('');
    expect(data.map(({ kind, entity, id, fields }) => ({ kind, entity, id, fields }))).toEqual([
      { kind: 'created', entity: 'Vendor', id: ids[0], fields: [] },
      { kind: 'updated', entity: 'Vendor', id: ids[0], fields: expect.arrayContaining(['name']) },
    ]);
    expect(data[0]?.href).toBe(`${connection.scope.publicUrl}/v4/vendors/${ids[0]}`);
    expect(meta).toMatchObject({ has_more: false, next_cursor: String(data[1]?.seq) });
  });

  it('continues from a cursor and misses nothing', async () => {
    for (const name of ['a', 'b', 'c']) await save('Vendor', name, name);
    const first = await changes('per_page=2');
    expect([first.data.length, first.meta.has_more]).toEqual([2, true]);
    const rest = await changes(`per_page=2&cursor=${first.meta.next_cursor}`);
    expect([rest.data.length, rest.meta.has_more]).toEqual([1, false]);
    expect((await changes(`cursor=${rest.meta.next_cursor}`)).data).toEqual([]);
  });

  it('begins with later changes at `latest`', async () => {
    await save('Vendor', '1', 'Before');
    const { meta, data } = await changes('cursor=latest');
    expect(data).toEqual([]);
    await save('Vendor', '2', 'After');
    expect((await changes(`cursor=${meta.next_cursor}`)).data).toHaveLength(1);
  });

  it('can be limited to kinds of records, and refuses unknown ones', async () => {
    await save('Vendor', '1', 'ACME');
    await save('Currency', 'EUR', 'Euro');
    expect((await changes('entity=Currency')).data.map(({ entity }) => entity)).toEqual(['Currency']);
    expect((await changes('entity=Currency,Vendor')).data).toHaveLength(2);
    expect((await changes('entity=Currency%2CVendor')).data).toHaveLength(2);
    expect(await send('/changes?entity=Supplier')).toMatchObject({
      status: 400,
      body: { code: 'SERVICE_INVALID_PARAMETER', message: expect.stringContaining('Supplier') },
    });
  });

  it('can be limited to types of changes, together with kinds of records', async () => {
    await save('Vendor', '1', 'ACME');
    await save('Vendor', '1', 'ACME Ltd.');
    await save('Currency', 'EUR', 'Euro');
    await remove('1');
    const kinds = async (query: string) => (await changes(query)).data.map(({ kind, entity }) => `${kind} ${entity}`);
    expect(await kinds('kind=deleted')).toEqual(['deleted Vendor']);
    expect(await kinds('kind=created,deleted')).toEqual(['created Vendor', 'created Currency', 'deleted Vendor']);
    expect(await kinds('kind=created&entity=Vendor')).toEqual(['created Vendor']);
    expect(await send('/changes?kind=removed')).toMatchObject({
      status: 400,
      body: { code: 'SERVICE_INVALID_PARAMETER', message: expect.stringContaining('removed') },
    });
  });

  it('continues after the changes that it leaves out', async () => {
    await save('Vendor', '1', 'ACME');
    await save('Currency', 'EUR', 'Euro');
    const { data, meta } = await changes('entity=Vendor');
    expect([data.length, meta.has_more, meta.next_cursor]).toEqual([1, false, '2']);
    expect(await changes('entity=Vendor&cursor=2')).toMatchObject({ data: [], meta: { next_cursor: '2' } });
  });

  it('contains only the changes of its connection', async () => {
    await save('Vendor', '1', 'ACME');
    const { token } = await api.connect();
    expect((await changes('', token)).data).toEqual([]);
  });

  it.each(['abc', '-1', '1e3', '2', '999999999999999999', '9'.repeat(40)])(
    'refuses a cursor that it never returned: %s',
    async (cursor) => {
      await save('Vendor', '1', 'ACME');
      expect(await send(`/changes?cursor=${cursor}`)).toMatchObject({
        ...{ status: 400, body: { code: 'SERVICE_INVALID_CURSOR' } },
      });
      expect(await send(`/changes?entity=Currency&cursor=${cursor}`)).toMatchObject({ status: 400 });
    },
  );
});

describe('changes that are no longer kept', () => {
  const expire = () => expireLogs(api.store, Date.now() + 31 * 86_400_000);

  it('are not returned, and a cursor before them is refused', async () => {
    await save('Vendor', '1', 'ACME');
    await save('Vendor', '1', 'ACME Ltd.');
    await expire();
    await save('Vendor', '1', 'ACME Inc.');
    expect(await changes('')).toMatchObject({ meta: { next_cursor: '3' }, data: [{ seq: 3 }] });
    expect((await changes('cursor=2')).data).toHaveLength(1);
    for (const cursor of ['0', '1'])
      expect(await send(`/changes?cursor=${cursor}&entity=Currency&wait=30`)).toMatchObject({
        status: 410,
        body: { code: 'SERVICE_CURSOR_EXPIRED', message: expect.stringContaining('`cursor=latest`') },
      });
  });

  it('leave a position from which a client continues', async () => {
    await save('Vendor', '1', 'ACME');
    await expire();
    expect(await changes('')).toMatchObject({ meta: { next_cursor: '1', has_more: false }, data: [] });
    const { next_cursor } = (await changes('cursor=latest')).meta;
    await save('Vendor', '1', 'ACME Ltd.');
    expect((await changes(`cursor=${next_cursor}`)).data.map(({ seq }) => seq)).toEqual([2]);
  });
});

describe('changes with records', () => {
  it('contain them as they are now, and the present values of the fields that changed', async () => {
    const { ids } = await save('Vendor', '1', 'ACME');
    await save('Vendor', '1', 'ACME Ltd.');
    await save('Vendor', '1', 'ACME Inc.');
    const { data } = await changes('include=record,values');
    const record = (await send(`/vendors/${ids[0]}`)).body.data;
    expect(data.map((change) => change.record)).toEqual([record, record, record]);
    expect(data[0]?.values).toEqual({});
    expect(data[1]?.values).toMatchObject({ name: 'ACME Inc.', _displayValue: 'ACME Inc.' });
    expect(Object.keys(data[1]?.values ?? {}).sort()).toEqual(data[1]?.fields.toSorted());
  });

  it('contain only what is requested', async () => {
    await save('Vendor', '1', 'ACME');
    const names = async (query: string) => Object.keys((await changes(query)).data[0] ?? {});
    const always = ['seq', 'kind', 'entity', 'id', 'fields', 'href', 'at'];
    expect(await names('')).toEqual(always);
    expect(await names('include=values')).toEqual([...always, 'values']);
    expect(await names('include=record')).toEqual([...always, 'record']);
  });

  it('contain deleted ones', async () => {
    await save('Vendor', '1', 'ACME');
    await remove('1');
    const [, deleted] = (await changes('include=record,values')).data;
    expect(deleted).toMatchObject({ kind: 'deleted', record: { name: 'ACME', _deletedAt: '2026-11-20T09:30:00Z' } });
    expect(deleted?.values).toEqual({ _deletedAt: '2026-11-20T09:30:00Z' });
  });

  it('contain what the token shows', async () => {
    await save('Vendor', '1', 'ACME', { terms: 'Net 30', notes: 'secret' });
    await save('Vendor', '1', 'ACME', { terms: 'Net 45', notes: 'more secret' });
    const token = await connection.issueToken({ access: [{ entity: 'Vendor', fields: ['terms'] }] });
    const { data } = await changes('include=record,values', token);
    expect(data[1]).toMatchObject({ values: { terms: 'Net 45' }, record: { terms: 'Net 45' } });
    expect(data[1]?.fields).not.toContain('notes');
    expect(JSON.stringify(data)).not.toContain('secret');
  });

  it('contain records as they are in the list to which the token gives access', async () => {
    const values = { documentType: 'count', statusCategory: 'draft', waveNumber: 'W-1' };
    const { ids } = await saveRecords(connection.scope, entities.InventoryDocument, [
      { _source: 't', _idValue: '1', values, references: {} },
    ]);
    const token = await connection.issueToken({ access: [{ entity: 'CycleCount' }] });
    const [created] = (await changes('include=record', token)).data;
    expect(created?.record).toEqual((await send(`/cycle-counts/${ids[0]}`, { token })).body.data);
    expect(created?.record).not.toHaveProperty('waveNumber');
  });

  it('are fewer if a response would be too large, but at least one', async () => {
    const saved = 5;
    const large = 'x'.repeat(LARGEST_RESPONSE / 3);
    for (let n = 1; n < saved; n++) await save('Vendor', String(n), 'ACME', { notes: large });
    await save('Vendor', String(saved), 'ACME', { notes: large.repeat(4) });
    const seen: number[] = [];
    const sizes: number[] = [];
    for (let cursor = '0', more = true; more; ) {
      const { data, meta } = await changes(`include=record&cursor=${cursor}`);
      sizes.push(data.length);
      seen.push(...data.map(({ seq }) => seq));
      [cursor, more] = [meta.next_cursor, meta.has_more];
    }
    expect(seen).toEqual([1, 2, 3, 4, 5]);
    expect([Math.min(...sizes), Math.max(...sizes)]).toEqual([1, 2]);
    expect((await changes('')).data).toHaveLength(saved);
  });
});
