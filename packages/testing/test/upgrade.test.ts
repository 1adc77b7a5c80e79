import { readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { entities, entityOf, operations } from '@unified/contract';
import { createEngine, startWorker } from '@unified/engine';
import { fastRetries } from '@unified/engine/testing/fast-retries';
import { type FaultySystem, startFaultySystem } from '@unified/engine/testing/faulty-system';
import { systems } from '@unified/engine/testing/order-keeping-system';
import { createServer } from '@unified/server';
import { listConnections, migrate, openStore, parseKey, replaceSettings } from '@unified/store';
import { checkedFetch } from '@unified/testing';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { documentTables, empty, startPrepared } from '../../store/test/prepared-server.ts';
import { RELEASE_KEY, type ReleaseFacts } from './release-facts.ts';

// Starts databases, which can be slow on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 300_000 });

const folder = new URL('./releases/', import.meta.url);
const releases = readdirSync(folder).flatMap((file) => /^(.+)\.sql\.gz$/.exec(file)?.[1] ?? []);

interface Stored {
  readonly id: string;
  readonly doc: Readonly<Record<string, unknown>>;
}
interface Write {
  readonly writeId: string;
  readonly operation: string;
  readonly status: string;
}

/** Lists of all records of an entity. */
const lists = operations.filter(
  ({ kind, surface, path, entity = '' }) =>
    kind === 'list' && surface === 'data' && !path.includes('{') && entityOf(entity) !== undefined,
);

/** Runs statements; of one, the rows. `connectionId` is the connection whose records are seen. */
async function rowsOf<Row extends pg.QueryResultRow>(url: string, sql: string, connectionId = ''): Promise<Row[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(`select set_config('app.connection_id', $1, false)`, [connectionId]);
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Tables, columns, indexes, constraints and policies, as sorted texts. */
async function shapeOf(url: string, schema: 'unified' | 'data'): Promise<string[]> {
  const rows = await rowsOf<{ part: string }>(
    url,
    `select concat_ws(' ', table_name, column_name, data_type, is_nullable, column_default) as part
       from information_schema.columns where table_schema = '${schema}' and table_name !~ '_20\\d{6}$'
     union all select indexdef from pg_indexes where schemaname = '${schema}' and tablename !~ '_20\\d{6}$'
     union all select concat_ws(' ', conrelid::regclass, pg_get_constraintdef(oid)) from pg_constraint
      where connamespace = '${schema}'::regnamespace and contype <> 'n' and conrelid::regclass::text !~ '_20\\d{6}$'
     union all select concat_ws(' ', tablename, policyname, qual) from pg_policies where schemaname = '${schema}'`,
  );
  return rows.map(({ part }) => part).toSorted();
}

describe.each(releases)('the database of release %s', (release) => {
  const facts: ReleaseFacts = JSON.parse(readFileSync(new URL(`${release}.json`, folder), 'utf8'));
  const closing: (() => Promise<unknown>)[] = [];
  /** Records as the release stored them, by entity; none of views, whose records it did not store. */
  const before = new Map<string, Stored[]>();
  let system: FaultySystem;
  let baseUrl: string;
  let databaseUrl: string;
  let start: () => Promise<unknown>;

  beforeAll(async () => {
    const database = await startPrepared(empty);
    databaseUrl = database.url;
    await rowsOf(databaseUrl, gunzipSync(readFileSync(new URL(`${release}.sql.gz`, folder))).toString());
    await readStored();
    const key = parseKey(RELEASE_KEY, 'the key of releases');
    const store = await openStore({ databaseUrl, publicUrl: 'http://localhost:4000', entities, key });
    await migrate(store);
    system = await startFaultySystem();
    const [connection] = await listConnections(store);
    await replaceSettings(store, connection?.id ?? '', { url: system.url });
    const log = pino({ level: 'silent' });
    const background = { store, databaseUrl, log, systems };
    const engine = createEngine(background);
    const { publicUrl } = store;
    const server = await createServer({ store, engine, logger: log, publicUrl, port: 0 });
    baseUrl = server.url;
    closing.push(
      () => database.remove(),
      () => store.close(),
      () => system.close(),
      () => engine.close(),
      () => server.close(),
    );
    start = async () => {
      const worker = await startWorker({ ...background, policies: fastRetries, syncs: 0 });
      closing.push(() => worker.stop());
    };
  });
  afterAll(async () => {
    for (const close of closing.toReversed()) await close();
  });

  async function readStored(): Promise<void> {
    const [connection] = await rowsOf<{ id: string }>(databaseUrl, 'select id from unified.connections');
    for (const { entity = '' } of lists) {
      const table = entityOf(entity)?.table;
      const isTable = `select from pg_class where oid = to_regclass('data.${table}') and relkind = 'r'`;
      if ((await rowsOf(databaseUrl, isTable)).length === 0) continue;
      const sql = `select id, doc::json from data.${table} where "_deletedAt" is null`;
      before.set(entity, await rowsOf<Stored>(databaseUrl, sql, connection?.id));
    }
  }

  const read = <Body>(path: string) =>
    checkedFetch<Body>(`${baseUrl}/v4${path}`, { headers: { Authorization: `Bearer ${facts.token}` } });
  const writes = async () => (await read<{ data: Write[] }>('/writes')).body.data;

  test('becomes like that of a new installation', async () => {
    const fresh = await startPrepared(documentTables);
    closing.push(() => fresh.remove());
    expect(await shapeOf(databaseUrl, 'unified')).toEqual(await shapeOf(fresh.url, 'unified'));
    expect(await shapeOf(databaseUrl, 'data')).toEqual(expect.arrayContaining(await shapeOf(fresh.url, 'data')));
  });

  test('keeps every record, in lists and by its id, with its values', async () => {
    expect([...before.values()].flat().length).toBeGreaterThan(20);
    for (const { entity = '', path } of lists) {
      const { status, body } = await read<{ data: Stored[] }>(`${path}?per_page=500`);
      const stored = before.get(entity) ?? [];
      expect([path, status]).toEqual([path, 200]);
      if (!before.has(entity)) continue;
      expect(body.data.map(({ id }) => id).toSorted(), path).toEqual(stored.map(({ id }) => id).toSorted());
      for (const { id, doc } of stored)
        expect((await read<{ data: object }>(`${path}/${id}`)).body.data).toMatchObject(doc);
    }
  });

  test('keeps the writes and the change log', async () => {
    expect((await writes()).map(({ operation, status }) => `${operation} ${status}`)).toEqual(facts.writes);
    const { body } = await read<{ data: { seq: number }[] }>('/changes?cursor=0&per_page=500');
    expect(body.data.map(({ seq }) => seq)).toEqual(Array.from({ length: facts.changes }, (_, n) => n + 1));
  });

  test('carries out what was queued, and continues the change log', async () => {
    const queued = (await writes()).filter(({ status }) => status === 'pending');
    expect(queued).toHaveLength(1);
    await start();
    const outcome = () => read<Write>(`/writes/${queued[0]?.writeId}`);
    await expect.poll(async () => (await outcome()).body.status, { timeout: 60_000 }).toBe('succeeded');
    const { body } = await read<{ data: { seq: number; entity: string }[] }>(`/changes?cursor=${facts.changes}`);
    expect(body.data[0]).toMatchObject({ seq: facts.changes + 1, entity: 'Vendor' });
  });
});
