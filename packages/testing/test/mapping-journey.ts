import { checkedFetch, signIn } from '@unified/testing';
import { expect, vi } from 'vitest';
import { type Managing, managing } from './managing.ts';
import type { Stack } from './stack.ts';

const PATIENCE = { timeout: 180_000, interval: 500 };

/** A connection of a running service whose system has a table that nothing reads. */
export interface JourneyPlace {
  readonly baseUrl: string;
  /** Access token for the Management API. */
  readonly token: string;
  readonly connectionId: string;
  /** The table, which has a column `name`. */
  readonly table: string;
}

/** Connects a database that no platform describes. */
export async function connectDatabase({ baseUrl, database }: Stack, url: string, table: string): Promise<JourneyPlace> {
  const { token } = await signIn(database.store, baseUrl);
  const connection = { platform: 'database', name: 'Machines', settings: { url } };
  const { id } = await managing(baseUrl, token)<{ id: string }>('POST', '/connections', connection);
  return { baseUrl, token, connectionId: id, table };
}

type Fields = Readonly<Record<string, unknown>>;

interface Mapping {
  readonly revision: number;
  readonly fields: Fields;
  readonly derivation: { readonly state: string } | null;
}
interface Draft {
  readonly stream: string;
  readonly customStream: object | null;
  readonly fields: Fields;
}
interface SourceTable {
  readonly stream: string | null;
  readonly fields: readonly string[];
  readonly rows: number;
}
interface TestedRow {
  readonly record: Fields | null;
  readonly problems: readonly string[];
}
interface Asset {
  readonly name: string;
  readonly lineage: Readonly<Record<string, FieldSource>>;
}
interface FieldSource {
  readonly stream: string;
  readonly columns: readonly { readonly name: string; readonly value: unknown }[];
  readonly word: unknown;
  readonly revision: number;
}

/** A word that puts a prefix before the value of a column. */
export const prefixed = (prefix: string, column: unknown) => ({
  concat: { parts: [{ const: prefix }, column], separator: ' ' },
});

/**
 * Maps a table that nothing reads to assets, by API alone: discovers and drafts it, edits, tests, previews and activates the draft,
 * changes it once more, and activates the earlier revisions again. While records are derived, lists are requested without
 * a pause. Returns the number of lists that were requested then.
 */
export async function mapAssets(place: JourneyPlace): Promise<number> {
  const { connectionId, table } = place;
  const call = managing(place.baseUrl, place.token);
  const base = `/connections/${connectionId}`;
  const path = `${base}/field-mappings/Asset`;
  const tables = () => call<SourceTable[]>('GET', `${base}/source-tables?table=${encodeURIComponent(table)}`);
  const { token: reading } = await call<{ token: string }>('POST', `${base}/token`, {});
  const list = (query: string) => listed(`${place.baseUrl}/v4/assets?per_page=100${query}`, reading);
  const activate = (revision: number) => activated({ call, path, list }, revision);
  const before = await assets(list);

  expect(await tables()).toMatchObject([{ stream: null, fields: expect.arrayContaining(['id', 'name']) }]);
  const draft = await call<Draft>('POST', `${path}/actions/draft`, { table });
  expect(draft.fields).toMatchObject({ name: 'name' });
  if (draft.customStream) await call('PUT', `${base}/custom-streams`, { streams: [draft.customStream] });
  await vi.waitFor(async () => expect((await tables())[0]?.rows).toBeGreaterThan(0), PATIENCE);

  const edited = (prefix: string) => ({
    stream: draft.stream,
    fields: { ...draft.fields, name: prefixed(prefix, 'name') },
  });
  const tested = { ...edited('Mapped'), limit: 3 };
  const { rows } = await call<{ rows: TestedRow[] }>('POST', `${path}/actions/test-fetch`, tested);
  const shown = rows.flatMap(({ record }) => (record ? [String(record.name)] : []));
  expect([shown.length > 0, rows.flatMap(({ problems }) => problems)]).toEqual([true, []]);
  const preview = await call<{ created: number }>('POST', `${path}/actions/preview`, edited('Mapped'));

  const first = await call<Mapping>('POST', path, edited('Mapped'));
  expect(await assets(list)).toEqual(before);
  let lists = await activate(first.revision);
  const mapped = namesOf(await assets(list));
  expect(mapped).toHaveLength(preview.created);
  expect(mapped).toEqual(expect.arrayContaining(shown));

  const second = await call<Mapping>('POST', path, edited('Changed'));
  const changes = await call<object>('POST', `${path}/actions/preview`, edited('Changed'));
  expect(changes).toMatchObject({ records: mapped.length, created: 0, deleted: 0 });
  for (const { revision } of [second, first]) {
    lists += await activate(revision);
    const prefix = revision === first.revision ? 'Mapped' : 'Changed';
    const now = await assets(list);
    expect(namesOf(now)).toEqual(mapped.map((name) => name.replace('Mapped', prefix)));
    for (const { name, lineage } of now) {
      expect(lineage.name).toMatchObject({ stream: draft.stream, word: prefixed(prefix, 'name'), revision });
      expect(`${prefix} ${lineage.name?.columns[0]?.value}`).toBe(name);
    }
  }
  lists += await activate(0);
  expect(await assets(list)).toEqual(before);
  return lists + (await activate(first.revision));
}

/** Requests a page of assets. */
type List = (query: string) => Promise<Page>;

interface Activation {
  readonly call: Managing;
  readonly path: string;
  readonly list: List;
}

/** Activates a revision and waits for its records. Returns how many lists were requested in the meantime. */
async function activated({ call, path, list }: Activation, revision: number): Promise<number> {
  const watched = new AbortController();
  const lists = watch(list, watched.signal);
  // Thrown below; an unhandled rejection before that would end the process.
  lists.catch(() => {});
  try {
    await call('POST', `${path}/revisions/${revision}/actions/activate`);
    await vi.waitFor(
      async () =>
        expect(await call<Mapping>('GET', path)).toMatchObject({ revision, derivation: { state: 'completed' } }),
      PATIENCE,
    );
  } finally {
    watched.abort();
  }
  return lists;
}

/** Requests lists until the signal aborts. Every one must succeed. */
async function watch(list: List, signal: AbortSignal): Promise<number> {
  let lists = 0;
  for (; !signal.aborted; lists += 1) await list('');
  return lists;
}

const namesOf = (list: readonly Asset[]) => list.map(({ name }) => name).toSorted();

/** All assets with their lineage, in the order of their names. */
async function assets(list: List): Promise<Asset[]> {
  const all: Asset[] = [];
  for (let cursor = ''; ; ) {
    const { data, meta } = await list(`&sort=name&extend=lineage${cursor}`);
    all.push(...data);
    if (meta.next_cursor === null) return all;
    cursor = `&cursor=${encodeURIComponent(meta.next_cursor)}`;
  }
}

interface Page {
  readonly data: readonly Asset[];
  readonly meta: { readonly next_cursor: string | null };
}

async function listed(url: string, token: string): Promise<Page> {
  const { status, body } = await checkedFetch<Page>(url, { headers: { authorization: `Bearer ${token}` } });
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}
