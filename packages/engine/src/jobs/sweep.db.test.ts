import {
  connectionById,
  createApplication,
  createAuthorizationSession,
  createConnection,
  issueAuthorizationCode,
  markConnectionDeleted,
  pageOfAudit,
} from '@unified/store';
import { makeWorkerUtils } from 'graphile-worker';
import { expect, onTestFinished, test } from 'vitest';
import { log, startHarness } from '../../test/harness.ts';
import { addDueRuns } from './due-jobs.ts';
import { createJobs, schema } from './jobs.ts';

const harness = await startHarness();
const { store } = harness;

test('a worker removes the credentials of authorizations that have expired', async () => {
  const utils = await makeWorkerUtils({ connectionString: harness.databaseUrl, schema });
  onTestFinished(() => utils.release());
  const query = async (sql: string) => (await utils.withPgClient((client) => client.query(sql))).rows;
  const { applicationId: clientId } = (await harness.site()).scope;
  for (const pending of ['expired', 'open'])
    await issueAuthorizationCode(store, { clientId, connectionId: null, redirectUri: pending, pending });
  for (const content of ['expired', 'open'])
    await createAuthorizationSession(store, { clientId, browser: content, content });
  await query(`update unified.authorization_codes set "expiresAt" = now() where "redirectUri" = 'expired'`);
  await query(`update unified.authorization_sessions set "expiresAt" = now()
                where id = (select min(id::text)::uuid from unified.authorization_sessions)`);
  await harness.worker();
  const kept = async () => [
    ...(await query('select "redirectUri" as kept from unified.authorization_codes where pending is not null')),
    ...(await query(`select 'session' as kept from unified.authorization_sessions where content <> ''`)),
  ];
  await expect.poll(kept, { timeout: 20_000 }).toEqual([{ kept: 'open' }, { kept: 'session' }]);
});

test('a due sync whose job waits is not added again, and one whose job cannot run is', async () => {
  const { connectionId } = await harness.site();
  const utils = await makeWorkerUtils({ connectionString: harness.databaseUrl, schema });
  onTestFinished(() => utils.release());
  const jobs = createJobs({ databaseUrl: harness.databaseUrl, log });
  onTestFinished(() => jobs.close());
  const run = async (sql: string) =>
    (await utils.withPgClient((client) => client.query(sql, [`sync:${connectionId}:due`]))).rows;
  /** Versions of the row, which each job that is added replaces. */
  const version = async () => (await run(`select xmin::text from ${schema}._private_jobs where key = $1`))[0]?.xmin;
  const sweep = () => addDueRuns(store, jobs, ['sync-connection']).then(version);
  const change = async (sql: string) => {
    await run(`update ${schema}._private_jobs set ${sql} where key = $1`);
    return version();
  };
  const added = await sweep();
  expect(added).toBeDefined();
  expect(await sweep()).toBe(added);
  for (const cannotRun of [
    'attempts = max_attempts',
    `run_at = now() + interval '1 hour'`,
    `locked_at = now(), locked_by = 'killed'`,
  ])
    expect(await change(cannotRun)).not.toBe(await sweep());
});

/** A queue without jobs, and no connection that is due. The keys of its jobs are in the order in which they are taken. */
async function emptyQueue() {
  const utils = await makeWorkerUtils({ connectionString: harness.databaseUrl, schema });
  onTestFinished(() => utils.release());
  const jobs = createJobs({ databaseUrl: harness.databaseUrl, log });
  onTestFinished(() => jobs.close());
  const query = async (sql: string) => (await utils.withPgClient((client) => client.query(sql))).rows;
  const clear = async () => {
    await query(`delete from ${schema}._private_jobs`);
    await query(
      `update unified.connections set "nextSyncAt" = 'infinity', "derivedVersion" = "mappingVersion", "deletedAt" = null`,
    );
  };
  await clear();
  onTestFinished(clear);
  const keys = async (): Promise<string[]> =>
    (await query(`select key from ${schema}.jobs order by priority, run_at, id`)).map(({ key }) => key);
  return { jobs, query, keys };
}

/** A connection of another application, which is due. */
async function ofAnotherCustomer(): Promise<string> {
  const { id: applicationId } = await createApplication(store, 'Another customer');
  const given = { applicationId, platform: 'faulty', name: 'One', settings: { url: 'http://localhost' } };
  return (await createConnection(store, given)).id;
}

test('the connection of another customer does not wait for all due ones of the first', async () => {
  const { jobs, query, keys } = await emptyQueue();
  const many = [await harness.site(), await harness.site(), await harness.site()].map((site) => site.connectionId);
  await addDueRuns(store, jobs, ['sync-connection']);
  const one = await ofAnotherCustomer();
  const { connectionId: requested } = await harness.site();
  await query(`update unified.connections set "nextSyncAt" = 'infinity' where id = '${requested}'`);
  await jobs.addSyncJob({ connectionId: requested, mode: 'full' });
  await addDueRuns(store, jobs, ['sync-connection']);
  const [inProgress, next, later] = many.map((id) => `sync:${id}:due`);
  expect(await keys()).toEqual([inProgress, next, `sync:${requested}:full`, `sync:${one}:due`, later]);
});

test('removals and derivations take turns with the syncs of other customers', async () => {
  const { jobs, query, keys } = await emptyQueue();
  const sites = await Promise.all(Array.from({ length: 4 }, () => harness.site()));
  const [derived, requested, ...removed] = sites.map(({ connectionId }) => connectionId).sort();
  await query(`update unified.connections set "nextSyncAt" = 'infinity'`);
  await query(`update unified.connections set "derivedVersion" = 1 where id = '${derived}'`);
  for (const id of removed) await markConnectionDeleted(store, id);
  await query(`update unified.connections set "deletedAt" = now() - interval '30 days' where "deletedAt" is not null`);
  await addDueRuns(store, jobs, ['derive-connection', 'sync-connection', 'remove-connection']);
  const one = await ofAnotherCustomer();
  await addDueRuns(store, jobs, ['derive-connection', 'sync-connection']);
  await jobs.addDerivationJob(requested ?? '');
  const [first, second] = removed.map((id) => `remove:${id}`);
  expect(await keys()).toEqual([`derive:${derived}`, first, `sync:${one}:due`, `derive:${requested}`, second]);
});

test('a sweep first adds the connections whose turn is first, however many another customer has', async () => {
  const { jobs, query, keys } = await emptyQueue();
  const { scope } = await harness.site();
  await query(`insert into unified.connections (id, "applicationId", platform, name, settings, status, "nextSyncAt")
    select gen_random_uuid(), '${scope.applicationId}', 'faulty', 'Many ' || n, '', 'active', now() - interval '1 hour'
      from generate_series(1, 1000) n`);
  onTestFinished(async () => void (await query(`delete from unified.connections where name like 'Many %'`)));
  const one = await ofAnotherCustomer();
  await addDueRuns(store, jobs, ['sync-connection']);
  expect((await keys()).slice(0, 2)).toContain(`sync:${one}:due`);
});

test('a worker removes connections that were deleted 30 days ago, with their data', async () => {
  const utils = await makeWorkerUtils({ connectionString: harness.databaseUrl, schema });
  onTestFinished(() => utils.release());
  const run = (sql: string, values: string[]) => utils.withPgClient((client) => client.query(sql, values));
  const [expired, deleted, used] = [await harness.site(), await harness.site(), await harness.site()];
  for (const { connectionId } of [expired, deleted]) await markConnectionDeleted(store, connectionId);
  const age = `update unified.connections set "deletedAt" = now() - $2::interval where id = $1`;
  await run(age, [expired.connectionId, '30 days']);
  await run(age, [deleted.connectionId, '29 days 23 hours']);
  await harness.worker({ syncs: 1 });
  await expect.poll(() => connectionById(store, expired.connectionId), { timeout: 20_000 }).toBeNull();
  await used.sync('full');
  for (const { connectionId } of [deleted, used]) expect(await connectionById(store, connectionId)).not.toBeNull();
  const [entry] = await pageOfAudit(store.application(expired.scope.applicationId), { limit: 1 });
  expect(entry).toMatchObject({
    ...{ actorType: 'service', action: 'connection.purge', target: expired.connectionId },
    before: { name: expect.any(String), deletedAt: expect.any(String) },
  });
});
