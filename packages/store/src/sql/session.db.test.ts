import { buffer } from 'node:stream/consumers';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { testDatabase } from '../../test/database.ts';
import { fieldOf, gadget } from '../../test/gadget.ts';
import { sessionOf } from '../access/scope.ts';
import { internalsOf } from '../access/store.ts';
import { createApplication, findContent, openContent, page, saveRecords, storeContent } from '../index.ts';
import { isPoolBusy, isUnreachable } from './failures.ts';
import type { Session } from './session.ts';
import { bulkStatement } from './statement.ts';

const { open, freshScope, admin, url } = await testDatabase();
await admin.query(`
  alter database unified set datestyle to 'German, DMY';
  alter database unified set timezone to 'America/St_Johns';
  alter database unified set bytea_output to escape`);
/** Opened after the output formats of its database were changed. */
const store = await open();
const scope = store.scope(freshScope());

test('timestamps are read regardless of the output format of the database', async () => {
  const { createdAt } = await createApplication(store, 'Foreign forms');
  expect(createdAt).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
});

test('a cursor continues at a timestamp, even at one before time zones existed', async () => {
  const soldAt = ['1890-01-01T00:00:00Z', '2026-02-03T10:30:00Z', '2026-12-11T10:30:00Z'];
  const records = soldAt.map((at, n) => ({ _source: 's', _idValue: `${n}`, values: { soldAt: at }, references: {} }));
  await saveRecords(scope, gadget, records);
  const sort = [{ field: fieldOf(gadget, 'soldAt'), descending: false }];
  const met: unknown[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const listed = await page(scope, gadget, { conditions: [], sort, limit: 1, ...(cursor && { cursor }) });
    met.push(JSON.parse(listed.docs[0] ?? '').soldAt);
    cursor = listed.nextCursor;
  }
  expect(met).toEqual(soldAt);
});

test('statements are limited by settings that are made after connecting, which a pooler accepts', async () => {
  const { tenants, queries } = internalsOf(store);
  const limitOf = async (pool: pg.Pool) =>
    (await pool.query(`select setting, source from pg_settings where name = 'statement_timeout'`)).rows;
  expect([await limitOf(tenants), await limitOf(queries)]).toEqual([
    [{ setting: '60000', source: 'session' }],
    [{ setting: '15000', source: 'session' }],
  ]);
});

test('bytes are returned as they were stored', async () => {
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, n) => n));
  const { sha256 } = await storeContent(
    scope,
    (async function* () {
      yield bytes;
    })(),
  );
  const content = (await findContent(scope, sha256)) ?? expect.fail('the content is not there');
  expect(await buffer(openContent(scope, content, { start: 0, end: bytes.length }))).toEqual(bytes);
});

test('a pool whose clients are all in use is not taken for a server that is gone', async () => {
  const failureOf = (pool: pg.Pool) => pool.connect().catch((error: Error) => error);
  const full = new pg.Pool({ connectionString: url, max: 1, connectionTimeoutMillis: 20_000 });
  onTestFinished(() => full.end());
  const client = await full.connect();
  // Only new attempts use it: the first one may take longer on a busy machine.
  full.options.connectionTimeoutMillis = 10;
  const [busy, gone] = [await failureOf(full), await failureOf(new pg.Pool({ host: '127.0.0.1', port: 1 }))];
  client.release();
  expect([busy, gone]).toEqual([expect.any(Error), expect.any(Error)]);
  expect([busy, gone].map((error) => error instanceof Error && [isUnreachable(error), isPoolBusy(error)])).toEqual([
    [true, true],
    [true, false],
  ]);
});

/** Stores this number of requests to derive a record again. */
const marking = (connectionId: string, count: string, source = 'jobs') => ({
  statement: bulkStatement(`insert into unified.stale_records (connection_id, source, "idValue")
    select $1::uuid, $2, place from generate_series(1, $3::int) place`),
  values: [connectionId, source, count],
});

const marked = (session: Session, connectionId: string) =>
  session.run<{ source: string; count: number }>(
    `select source, count(*)::int as count from unified.stale_records where connection_id = $1
      group by source order by source`,
    [connectionId],
  );

test('statements that run together are all run, in one transaction with the others', async () => {
  const own = store.scope(freshScope());
  const { connectionId } = own;
  await own.transaction(async (inner) => {
    const session = sessionOf(inner);
    await session.runTogether([]);
    await session.runTogether([marking(connectionId, '2'), marking(connectionId, '3', 'places')]);
    expect(await marked(session, connectionId)).toEqual([
      { source: 'jobs', count: 2 },
      { source: 'places', count: 3 },
    ]);
  });
  const undone = own.transaction(async (inner) => {
    await sessionOf(inner).runTogether([marking(connectionId, '1', 'parts'), marking(connectionId, '2')]);
  });
  await expect(undone).rejects.toThrow('duplicate key');
  expect((await marked(sessionOf(own), connectionId)).map(({ source }) => source)).toEqual(['jobs', 'places']);
});

test('statements that run together need a transaction', async () => {
  const own = store.scope(freshScope());
  const alone = sessionOf(own).runTogether([marking(own.connectionId, '1')]);
  await expect(alone).rejects.toThrow('Only a transaction');
  expect(await marked(sessionOf(own), own.connectionId)).toEqual([]);
});
