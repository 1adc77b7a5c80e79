import { expect, test } from 'vitest';
import { testDatabase } from '../../test/database.ts';
import {
  createApplication,
  expireLogs,
  insertRequestLogs,
  insertSystemCalls,
  pageOfAudit,
  pageOfRequestLog,
  pageOfSystemCalls,
  registerClient,
  requestLogById,
  setClientSetting,
} from '../index.ts';

const { store, admin } = await testDatabase();
const DAY_MS = 86_400_000;
/** Noon, so that all requests of a day have the same partition. */
const NOW = Date.parse('2026-11-23T12:00:00Z');

const request = (applicationId: string, daysAgo: number) => ({
  ...{
    applicationId,
    connectionId: undefined,
    tokenId: undefined,
    at: NOW - daysAgo * DAY_MS,
    requestId: `${daysAgo} days ago`,
  },
  ...{ operation: 'listVendors', method: 'GET', path: '/v4/vendors', status: 200, milliseconds: 1.5, code: undefined },
});

async function applicationWith(days?: number): Promise<string> {
  const { id } = await createApplication(store, 'Acme');
  const setting = { name: 'logRetention', value: days ?? 0 } as const;
  if (days !== undefined) await setClientSetting(store.application(id), id, setting);
  await insertRequestLogs(
    store,
    [0, 6, 8, 29, 31].map((ago) => request(id, ago)),
  );
  for (const ago of [8, 89, 91])
    await admin.query(
      `insert into unified.audit_entries (id, "applicationId", at, "actorType", actor, action, target)
       values (gen_random_uuid(), $1, $2, 'operator', 'root', 'client.update', $3)`,
      [id, new Date(NOW - ago * DAY_MS), String(ago)],
    );
  return id;
}

async function partitions(): Promise<string[]> {
  const { rows } = await admin.query(
    `select relname from pg_inherits join pg_class on oid = inhrelid
      where inhparent = 'unified.request_log'::regclass order by 1`,
  );
  return rows.map(({ relname }) => relname);
}

const keptOf = async (id: string) =>
  (await pageOfRequestLog(store.application(id), { limit: 9 })).map(({ requestId }) => requestId);

test('logs are kept as long as their application requires, and days that no application needs are removed as a whole', async () => {
  const [usual, short] = [await applicationWith(), await applicationWith(7)];
  expect(await partitions()).toEqual([
    ...['request_log_20261023', 'request_log_20261025', 'request_log_20261115', 'request_log_20261117'],
    'request_log_20261123',
  ]);
  await expireLogs(store, NOW);
  expect(await partitions()).toEqual([
    ...['request_log_20261025', 'request_log_20261115', 'request_log_20261117', 'request_log_20261123'],
  ]);
  expect(await keptOf(usual)).toEqual(['0 days ago', '6 days ago', '8 days ago', '29 days ago']);
  expect(await keptOf(short)).toEqual(['0 days ago', '6 days ago']);
  const audited = async (id: string) => (await pageOfAudit(store.application(id), { limit: 9 })).length;
  // Audit entries are kept for 90 days, even if the requests are not.
  expect([await audited(usual), await audited(short)]).toEqual([2, 2]);
});

test('calls to connected systems are kept as long as requests', async () => {
  const [usual, short] = [await applicationWith(), await applicationWith(7)];
  const call = (applicationId: string, daysAgo: number) => ({
    ...({
      applicationId,
      connectionId: applicationId,
      at: NOW - daysAgo * DAY_MS,
      purpose: 'read',
      outcome: 'ok',
    } as const),
    ...{ stream: undefined, writeId: undefined, syncStartedAt: undefined, milliseconds: 1.5, message: undefined },
  });
  for (const id of [usual, short])
    await insertSystemCalls(
      store,
      [0, 8, 31].map((ago) => call(id, ago)),
    );
  await expireLogs(store, NOW);
  const keptOf = async (id: string) =>
    (await pageOfSystemCalls(store.application(id), { limit: 9 })).map(({ at }) => at);
  expect(await keptOf(usual)).toEqual(['2026-11-23T12:00:00.000Z', '2026-11-15T12:00:00.000Z']);
  expect(await keptOf(short)).toEqual(['2026-11-23T12:00:00.000Z']);
  const { rows } = await admin.query(`select to_regclass('unified.system_calls_20261023') as table`);
  expect(rows).toEqual([{ table: null }]);
});

test('a client without a setting keeps the logs of its application for the default time', async () => {
  const id = await applicationWith(7);
  await registerClient(store.application(id), { name: 'Second', email: 'second@acme.example' });
  await expireLogs(store, NOW);
  expect(await keptOf(id)).toEqual(['0 days ago', '6 days ago', '8 days ago', '29 days ago']);
});

test('an entry has the time of its request, and belongs to its application', async () => {
  const [id, other] = [await applicationWith(), await applicationWith()];
  const [entry] = await pageOfRequestLog(store.application(id), { since: new Date(NOW - 1).toISOString(), limit: 9 });
  expect(entry).toMatchObject({ at: '2026-11-23T12:00:00.000Z', operation: 'listVendors', milliseconds: 1.5 });
  expect(await requestLogById(store.application(id), entry?.id ?? '')).toEqual(entry);
  expect(await requestLogById(store.application(other), entry?.id ?? '')).toBeNull();
  const before = await pageOfRequestLog(store.application(id), { until: entry?.at, before: entry?.id, limit: 1 });
  expect(before.map(({ requestId }) => requestId)).toEqual(['6 days ago']);
});
