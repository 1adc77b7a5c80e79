import { randomUUID } from 'node:crypto';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { testDatabase } from '../../test/database.ts';
import { storeWithin } from '../access/transaction.ts';
import { settingsOf } from '../identity/readable-settings.ts';
import {
  activateConnection,
  connectionById,
  connectionSettings,
  createConnection,
  deactivateConnection,
  dueConnections,
  makeFailedDue,
  markFailedDue,
  markSyncDue,
  markUnreadDue,
  planNextSync,
  platformsInUse,
  replaceSchedule,
  saveSyncState,
  syncStates,
} from '../index.ts';
import { openSecret } from '../keys/key-ring.ts';

const { store, freshScope, admin } = await testDatabase();
const { applicationId } = freshScope();

const PAST = '2026-01-01T00:00:00Z';
const FUTURE = '2999-01-01T00:00:00Z';

const due = async (limit: number) => (await dueConnections(store, limit)).map(({ id }) => id);

/** The statement of `dueConnections` and its values, as they are sent to the database. */
async function dueStatement(): Promise<[text: string, values: unknown[]]> {
  const query = vi.spyOn(admin, 'query');
  onTestFinished(() => query.mockRestore());
  await dueConnections(storeWithin(store, admin), 10);
  expect(query).toHaveBeenCalledTimes(1);
  const [text, values] = query.mock.calls[0] as unknown as [string, unknown[]];
  query.mockRestore();
  return [text, values];
}

const connected = async (platform = 'test') => {
  const given = { applicationId, platform, name: randomUUID(), settings: {} };
  const { id: connectionId } = await createConnection(store, given);
  return store.scope({ applicationId, connectionId });
};

beforeEach(() => admin.query(`update unified.connections set "nextSyncAt" = 'infinity'`));

test('a new connection is due until all its streams are planned', async () => {
  const scope = await connected();
  expect(await due(10)).toEqual([scope.connectionId]);
  for (const stream of ['a', 'b']) await saveSyncState(scope, stream, { nextRunAt: FUTURE });
  await planNextSync(store, scope.connectionId, ['a', 'b']);
  expect(await due(10)).toEqual([]);
});

test('a connection is due when the first of its streams is, or when one was never read', async () => {
  const [late, unread, read] = [await connected(), await connected(), await connected()];
  await saveSyncState(late, 'a', { nextRunAt: FUTURE });
  await saveSyncState(late, 'b', { nextRunAt: PAST });
  await saveSyncState(unread, 'a', { nextRunAt: FUTURE });
  for (const stream of ['a', 'b']) await saveSyncState(read, stream, { nextRunAt: FUTURE });
  for (const { connectionId } of [late, unread, read]) await planNextSync(store, connectionId, ['a', 'b']);
  expect(await due(10)).toEqual([late.connectionId, unread.connectionId]);
  expect(await due(1)).toEqual([late.connectionId]);
});

test('a connection that is marked is due now', async () => {
  const scope = await connected();
  await saveSyncState(scope, 'a', { nextRunAt: FUTURE });
  await planNextSync(store, scope.connectionId, ['a']);
  await markSyncDue(store, scope.connectionId);
  expect(await due(10)).toEqual([scope.connectionId]);
});

test('an inactive connection is not due until it is activated again', async () => {
  const { connectionId } = await connected();
  await deactivateConnection(store, connectionId);
  expect(await due(10)).toEqual([]);
  await activateConnection(store, connectionId);
  expect(await due(10)).toEqual([connectionId]);
});

test('a stream that is new in a platform makes its connections due', async () => {
  const [growing, other] = [await connected('growing'), await connected('other')];
  for (const scope of [growing, other]) {
    await saveSyncState(scope, 'a', { nextRunAt: FUTURE });
    await planNextSync(store, scope.connectionId, ['a']);
  }
  expect(await platformsInUse(store)).toEqual(expect.arrayContaining(['growing', 'other']));
  await markUnreadDue(store, 'growing', ['a']);
  expect(await due(10)).toEqual([]);
  await markUnreadDue(store, 'growing', ['a', 'b']);
  expect(await due(10)).toEqual([growing.connectionId]);
});

test('only the streams whose last run failed become due again', async () => {
  const [failing, working] = [await connected(), await connected()];
  for (const scope of [failing, working]) {
    await saveSyncState(scope, 'a', { nextRunAt: FUTURE });
    await saveSyncState(scope, 'b', { nextRunAt: FUTURE, ...(scope === failing && { error: 'Refused' }) });
    await planNextSync(store, scope.connectionId, ['a', 'b']);
  }
  await markFailedDue(store);
  expect(await due(10)).toEqual([failing.connectionId]);
  const dueStreams = (await syncStates(failing)).filter(({ nextRunAt }) => Date.parse(nextRunAt ?? '') <= Date.now());
  expect(dueStreams.map(({ stream }) => stream)).toEqual(['b']);
});

test('the failed streams of a connection become due together, in the given number of seconds', async () => {
  const failing = await Promise.all(Array.from({ length: 2 }, () => connected()));
  for (const scope of failing) {
    for (const stream of ['a', 'b']) await saveSyncState(scope, stream, { nextRunAt: FUTURE, error: 'Refused' });
    await saveSyncState(scope, 'c', { nextRunAt: FUTURE });
    await planNextSync(store, scope.connectionId, ['a', 'b', 'c']);
  }
  const ids = failing.map(({ connectionId }) => connectionId);
  await makeFailedDue(store, ids[0] ?? '', 3_600);
  const { rows } = await admin.query(
    `select id, stream, round(extract(epoch from "nextRunAt" - now()) / 60)::int as minutes, "nextRunAt" = "nextSyncAt" as planned
       from unified.sync_streams join unified.connections on id = connection_id
      where id = any($1) and "nextRunAt" < $2 order by stream`,
    [ids, FUTURE],
  );
  const due = { id: ids[0], minutes: 60, planned: true };
  expect(rows).toEqual([
    { ...due, stream: 'a' },
    { ...due, stream: 'b' },
  ]);
});

test('due connections are found through an index, whatever the number of connections', async () => {
  await admin.query(
    `insert into unified.connections (id, "applicationId", platform, name, settings, status, "nextSyncAt")
     select gen_random_uuid(), $1, 'many', 'Many ' || n, '', 'active', now() + n * interval '1 minute'
       from generate_series(1, 20000) n`,
    [applicationId],
  );
  await admin.query('analyze unified.connections');
  const [text, values] = await dueStatement();
  const { rows } = await admin.query(`explain (format json) ${text}`, values);
  expect(JSON.stringify(rows)).toContain('connections_due');
  expect(JSON.stringify(rows)).toContain('"Index Cond"');
  expect(JSON.stringify(rows)).not.toMatch(/"Sort"|"Seq Scan"/);
});

test('the schedule of a new connection is stored in columns, not in its encrypted settings', async () => {
  const schedule = { syncEveryMinutes: 7, fullSyncEveryHours: 48 };
  const settings = { url: 'https://erp.example' };
  const given = { applicationId, platform: 'test', name: randomUUID(), settings, schedule };
  const { id } = await createConnection(store, given);
  const { rows } = await admin.query(
    'select "syncEveryMinutes", "fullSyncEveryHours", settings from unified.connections where id = $1',
    [id],
  );
  expect(rows).toEqual([{ ...schedule, settings: expect.any(String) }]);
  expect(await connectionSettings(store, id)).toEqual(settings);
  // Reading the settings omits a schedule that an earlier release has stored.
  expect(JSON.parse(await openSecret(store, settingsOf(id), rows[0].settings))).toEqual(settings);
});

test('a schedule has its defaults, and keeps values that a change omits', async () => {
  const { connectionId } = await connected();
  expect(await connectionById(store, connectionId)).toMatchObject({ syncEveryMinutes: 15, fullSyncEveryHours: 24 });
  expect(await replaceSchedule(store, connectionId, { syncEveryMinutes: 2.5 })).toBe(true);
  expect(await replaceSchedule(store, connectionId, { fullSyncEveryHours: 12 })).toBe(true);
  expect(await replaceSchedule(store, connectionId, { fullSyncEveryHours: 12, syncEveryMinutes: 2.5 })).toBe(false);
  expect(await connectionById(store, connectionId)).toMatchObject({ syncEveryMinutes: 2.5, fullSyncEveryHours: 12 });
});

test('a schedule out of range is refused', async () => {
  const { connectionId } = await connected();
  await expect(replaceSchedule(store, connectionId, { syncEveryMinutes: 0 })).rejects.toThrow('check constraint');
  await expect(replaceSchedule(store, connectionId, { fullSyncEveryHours: 745 })).rejects.toThrow('check constraint');
});

test('due connections belong to their end customer, or to their application', async () => {
  const endCustomerId = randomUUID();
  const given = { applicationId, platform: 'test', settings: {} };
  const own = await createConnection(store, { ...given, name: randomUUID() });
  const ofCustomer = await createConnection(store, { ...given, name: randomUUID(), endCustomerId });
  expect(await dueConnections(store, 10)).toEqual([
    { id: own.id, owner: applicationId },
    { id: ofCustomer.id, owner: endCustomerId },
  ]);
});
