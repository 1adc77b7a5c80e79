import { connectionById, derivedVersion, markConnectionDeleted, saveSyncState, syncState } from '@unified/store';
import { expect, onTestFinished, test, vi } from 'vitest';
import { faultySystems, stream } from '../../test/faulty-platform.ts';
import { log, type Site, startHarness } from '../../test/harness.ts';
import { withDatabase } from '../../test/job-database.ts';
import { begun, PATIENCE, runSites } from '../../test/run-sites.ts';
import { syncEnd } from '../../test/sync-end.ts';
import { createJobs, schema } from '../jobs/jobs.ts';
import type { Systems } from '../model/systems.ts';

// A machine that is busy needs longer.
vi.setConfig({ testTimeout: 120_000 });

const harness = await startHarness();
const { endless, copied, lastSuccess, postponed, makeDue } = runSites(harness);

/** The faulty systems, with a second stream. */
const systems: Systems = {
  ...faultySystems,
  platformOf: (id) => ({ ...faultySystems.platformOf(id), streams: [stream, { ...stream, name: 'more rows' }] }),
};

/** More rows than a slow system returns in five minutes. */
const MANY_ROWS = 30_001;

/** A worker with two places, of which a first copy that does not end takes the one for long runs. */
async function busyWorker(): Promise<void> {
  const worker = await harness.worker({ syncs: 2, systems });
  const copy = await endless();
  await expect.poll(begun([copy]), PATIENCE).toBe(1);
  onTestFinished(async () => {
    const stopped = worker.stop();
    copy.system.admitPages(Number.POSITIVE_INFINITY);
    await stopped;
    // What waits is not carried out in the next test.
    await run(`delete from ${schema}._private_jobs`);
    await run(`update unified.connections set status = 'inactive'`);
  });
}

const run = (sql: string, values: unknown[] = []) =>
  withDatabase(harness.databaseUrl, async (query) => void (await query(sql, values)));

/** Copies rows that the system of a connection does not have. */
const copyMany = ({ connectionId }: Site) =>
  run(
    `insert into unified.raw_rows (connection_id, stream, key, row, hash)
     select $1, 'rows', 'many ' || n, '{}', '' from generate_series(1, $2::int) n`,
    [connectionId, MANY_ROWS],
  );

/** Makes a stream due, and waits until it has been read. */
async function readNext(site: Site, ...due: [name?: string, mode?: 'full']): Promise<void> {
  const before = await lastSuccess(site, due[0]);
  await makeDue(site, ...due);
  await expect.poll(() => lastSuccess(site, due[0]), PATIENCE).not.toBe(before);
  await syncEnd(harness.databaseUrl, site.connectionId, PATIENCE.timeout);
}

async function one<T>(items: Promise<T[]>): Promise<T> {
  const [item] = await items;
  if (!item) throw new Error('There is none.');
  return item;
}

test('a run is expected to be as long as the streams that it reads, whatever was read in between', async () => {
  const site = await one(copied(1, systems));
  await saveSyncState(site.scope, 'rows', { fullSeconds: 10_000 });
  await busyWorker();
  await readNext(site, 'more rows', 'full');
  await readNext(site, 'rows');
  await makeDue(site, 'rows', 'full');
  await expect.poll(() => postponed(site), PATIENCE).toBe(1);
});

test('runs of a few minutes begin in any place, longer ones wait for the end of a first copy', async () => {
  const site = await one(copied(1, systems));
  await saveSyncState(site.scope, 'rows', { changesSeconds: 150, fullSeconds: 290 });
  await busyWorker();
  await readNext(site);
  await readNext(site, 'rows', 'full');
  await saveSyncState(site.scope, 'more rows', { changesSeconds: 160, nextRunAt: 'now' });
  await saveSyncState(site.scope, 'rows', { changesSeconds: 160 });
  await makeDue(site);
  await expect.poll(() => postponed(site), PATIENCE).toBe(1);
});

test('how long passes take that an earlier release measured is expected from the number of rows', async () => {
  const [large, small] = await copied(2, systems);
  if (!large || !small) throw new Error('There are no connections.');
  await copyMany(large);
  for (const { scope } of [large, small]) await saveSyncState(scope, 'rows', { fullSeconds: null });
  await busyWorker();
  await readNext(small, 'rows', 'full');
  await makeDue(large, 'rows', 'full');
  await expect.poll(() => postponed(large), PATIENCE).toBe(1);
});

test('the length of a pass is stored, unless an earlier run began it', async () => {
  const measured = async ({ scope }: Site) => {
    const { fullSeconds, changesSeconds } = (await syncState(scope, 'rows')) ?? {};
    return { fullSeconds, changesSeconds };
  };
  const site = await one(copied(1));
  expect(await measured(site)).toEqual({ fullSeconds: expect.any(Number), changesSeconds: null });
  const interrupted = await harness.site();
  for (let n = 0; n < 250; n += 1) interrupted.system.put({ kind: 'vendor', name: `V${n}` });
  interrupted.system.admitPages(1);
  const first = await harness.worker({ syncs: 1 });
  await expect.poll(() => interrupted.system.waiting(), PATIENCE).toBe(1);
  const stopped = first.stop();
  interrupted.system.admitPages(Number.POSITIVE_INFINITY);
  await stopped;
  expect(await lastSuccess(interrupted)).toBeNull();
  const second = await harness.worker({ syncs: 1 });
  await expect.poll(() => lastSuccess(interrupted), PATIENCE).toEqual(expect.any(String));
  expect(await measured(interrupted)).toEqual({ fullSeconds: null, changesSeconds: null });
  await readNext(interrupted);
  expect(await measured(interrupted)).toEqual({ fullSeconds: null, changesSeconds: expect.any(Number) });
  await second.stop();
});

test('a stream that the system refuses does not make each run of its connection a first copy', async () => {
  const site = await one(copied(1, systems));
  const refused = { error: 'Not allowed.', errorCode: 'SERVICE_SYSTEM_FORBIDDEN', cursor: {} };
  await saveSyncState(site.scope, 'more rows', { ...refused, nextRunAt: 'now', rowsSeen: 0 });
  await busyWorker();
  await readNext(site);
});

test('a large removal and a large derivation wait for the place of a long run, small ones do not', async () => {
  const [large, removed, small, derived] = await copied(4, systems);
  if (!large || !removed || !small || !derived) throw new Error('There are no connections.');
  for (const site of [large, removed]) {
    await copyMany(site);
    await saveSyncState(site.scope, 'rows', { fullSeconds: null });
  }
  await busyWorker();
  const jobs = createJobs({ databaseUrl: harness.databaseUrl, log });
  onTestFinished(() => jobs.close());
  for (const { connectionId } of [removed, small]) {
    await markConnectionDeleted(harness.store, connectionId);
    await jobs.addRemovalJob(connectionId);
  }
  for (const { connectionId } of [large, derived]) {
    await run(`update unified.connections set "derivedVersion" = "derivedVersion" + 1 where id = $1`, [connectionId]);
    await jobs.addDerivationJob(connectionId);
  }
  await expect.poll(() => connectionById(harness.store, small.connectionId), PATIENCE).toBeNull();
  await expect.poll(() => derivedVersion(harness.store, derived.connectionId), PATIENCE).toBe(0);
  await expect.poll(() => postponed(removed), PATIENCE).toBe(1);
  await expect.poll(() => postponed(large), PATIENCE).toBe(1);
});
