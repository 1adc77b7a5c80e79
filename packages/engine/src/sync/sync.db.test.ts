import { entities } from '@unified/contract';
import { page, rawStreams, saveRawRows } from '@unified/store';
import { makeWorkerUtils } from 'graphile-worker';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type Site, startHarness } from '../../test/harness.ts';
import { startWorkerProcess } from '../../test/worker-process.ts';
import { type SyncMode, schema } from '../jobs/jobs.ts';

// Starts processes, which is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const harness = await startHarness();
const { engine } = harness;
const worker = await harness.worker({ syncs: 2 });

async function vendors({ scope }: Site): Promise<Record<string, unknown>[]> {
  const { docs } = await page(scope, entities.Vendor, { conditions: [], sort: [], limit: 500 });
  return JSON.parse(`[${docs}]`);
}

async function names(site: Site): Promise<unknown[]> {
  return (await vendors(site)).map(({ name }) => name).sort();
}

async function currencies(site: Site): Promise<unknown[]> {
  return (await vendors(site)).map(({ currency }) => currency);
}

async function status(site: Site) {
  const [stream] = await engine.syncStatus(site.scope);
  return stream;
}

/** Synchronizes a site and returns the status of its stream. */
async function sync(site: Site, mode: SyncMode) {
  await site.sync(mode);
  return status(site);
}

/** Status of a stream after a successful run. */
const ended = { runningSince: null, lastSuccessAt: expect.any(String), error: null };

const vendor = (name: string, more = {}) => ({ kind: 'vendor', name, ...more });

/**
 * A new connection with vendors on one page and their currency on the next, in the state after reading and before relations are
 * filled in.
 */
async function readButForRelations() {
  const relations = await harness.holdRelations();
  const system = await harness.system();
  const currency = '101';
  for (const name of ['A', 'B']) system.put(vendor(name, { currency }));
  for (let n = 3; n <= 100; n += 1) system.put({ kind: 'other' });
  system.put({ id: Number(currency), kind: 'currency', name: 'Euro' });
  const site = await harness.site(system);
  await expect.poll(() => status(site)).toMatchObject({ rowsSeen: 101 });
  return { site, relations };
}

test('the first copy of a few rows takes no samples of large tables, which can take longer than the copy', async () => {
  const utils = await makeWorkerUtils({ connectionString: harness.databaseUrl, schema });
  onTestFinished(() => utils.release());
  const query = async (sql: string) => (await utils.withPgClient((client) => client.query(sql))).rows[0];
  const many = Array.from({ length: 200 }, (_, index) => ({ key: `${index}`, row: { name: 'Other' } }));
  await saveRawRows((await harness.site()).scope, 'others', many);
  await query('analyze unified.raw_rows');
  const counts = `select pg_stat_get_analyze_count('unified.raw_rows'::regclass)::int large,
                         pg_stat_get_analyze_count('data.currencies'::regclass)::int small`;
  const before = await query(counts);
  const site = await harness.site();
  site.system.put(vendor('Only'));
  expect(await sync(site, 'full')).toMatchObject(ended);
  expect(await query(counts)).toEqual({ large: before.large, small: before.small + 1 });
});

test('a new connection is read in full automatically', async () => {
  const system = await harness.system();
  for (let n = 0; n < 250; n += 1) system.put(vendor(`V${n}`));
  const site = await harness.site(system);
  const read = { stream: 'rows', error: null, lastSuccessAt: expect.any(String), runningSince: null, rowsSeen: 250 };
  await expect.poll(() => status(site)).toMatchObject(read);
  expect((await vendors(site)).length).toBe(250);
});

test('a sync that is requested for some entities reads only the streams of their records', async () => {
  const site = await harness.site();
  site.system.put(vendor('Before'));
  await sync(site, 'full');
  site.system.put(vendor('After'));
  await engine.requestSyncOf(site.scope, 'incremental', { entities: ['Site'] });
  await site.synced('incremental');
  expect(await names(site)).toEqual(['Before']);
  await engine.requestSyncOf(site.scope, 'incremental', { entities: ['Vendor'] });
  await site.synced('incremental');
  expect(await names(site)).toEqual(['After', 'Before']);
});

test('other records that an action changes are read when it is done', async () => {
  const site = await harness.site();
  await sync(site, 'full');
  const { targetId } = await site.write({ entity: 'WorkOrder', input: { name: 'Pump' } });
  site.system.put(vendor('Changed by the action'));
  const { status: ended } = await site.write({
    op: 'action',
    entity: 'WorkOrder',
    action: 'assign',
    targetId: targetId ?? '',
  });
  expect(ended).toBe('succeeded');
  await site.synced('incremental');
  expect(await names(site)).toEqual(['Changed by the action']);
});

test('an incremental run reads changes, a full one detects deletions', async () => {
  const site = await harness.site();
  const [first, second] = [site.system.put(vendor('A')), site.system.put(vendor('B'))];
  await sync(site, 'full');
  site.system.put({ id: first.id, name: 'A2' });
  site.system.put(vendor('C'));
  site.system.rows.delete(second.id);
  expect(await sync(site, 'incremental')).toMatchObject({ rowsSeen: 2 });
  expect(await names(site)).toEqual(['A2', 'B', 'C']);
  await sync(site, 'full');
  expect(await names(site)).toEqual(['A2', 'C']);
});

test('a full run that fails halfway deletes nothing and reports why, and the next continues at the page', async () => {
  const site = await harness.site();
  for (let n = 0; n < 300; n += 1) site.system.put(vendor(`V${n}`));
  await sync(site, 'full');
  site.system.rows.delete(1);
  site.system.rows.delete(299);
  // The mark and one page succeed, then the system is unavailable for longer than the retries last.
  site.system.faults.read.push(null, null, 'away', 'away', 'away', 'away');
  expect(await sync(site, 'full')).toMatchObject({ error: 'Down for maintenance', mode: 'full', rowsSeen: 100 });
  expect((await vendors(site)).length).toBe(300);
  site.system.faults.read.length = 0;
  const calls = site.system.calls();
  expect(await sync(site, 'full')).toMatchObject({ error: null, mode: null });
  expect(site.system.calls() - calls).toBe(2);
  expect((await vendors(site)).length).toBe(298);
});

test('a run ends and reports why, even when the message of the system contains characters that cannot be stored', async () => {
  const site = await harness.site();
  await sync(site, 'full');
  // One for each run: the first, automatic one of the connection may still follow, and would take the fault of the requested one.
  site.system.faults.read.push('garbled', 'garbled');
  expect(await sync(site, 'full')).toMatchObject({ error: 'Name is not\u{FFFD} to our taste', runningSince: null });
});

test('an unresolved reference is resolved as soon as its target arrives; a new label updates the records that point to it', async () => {
  const site = await harness.site();
  site.system.put(vendor('A', { currency: '7' }));
  expect(await sync(site, 'full')).toMatchObject({ ...ended, pendingRelations: 0 });
  expect(await vendors(site)).toMatchObject([{ currency: null }]);
  site.system.put({ id: 7, kind: 'currency', name: 'Euro' });
  await sync(site, 'incremental');
  expect(await currencies(site)).toMatchObject([{ _displayValue: 'Euro', _idValue: '7' }]);
  site.system.put({ id: 7, name: 'EUR' });
  await sync(site, 'incremental');
  expect(await currencies(site)).toMatchObject([{ _displayValue: 'EUR' }]);
});

test('relations that cannot be filled in are reported in the status, and the run ends', async () => {
  const { site, relations } = await readButForRelations();
  await relations.fail(async () => {
    await expect.poll(() => status(site)).toMatchObject({ error: expect.any(String), runningSince: null });
  });
  expect(await status(site)).toMatchObject({ lastSuccessAt: null, pendingRelations: 2 });
  await sync(site, 'incremental');
  expect(await status(site)).toMatchObject({ ...ended, pendingRelations: 0 });
  expect(await currencies(site)).toMatchObject([{ _displayValue: 'Euro' }, { _displayValue: 'Euro' }]);
});

test('a run has not ended while relations of the records that it read are empty', async () => {
  const { site, relations } = await readButForRelations();
  expect(await currencies(site)).toEqual([null, null]);
  expect(await status(site)).toMatchObject({
    ...{ runningSince: expect.any(String), mode: 'full', lastSuccessAt: null },
    ...{ rowsSeen: 101, pendingRelations: 2 },
  });
  await relations.letGo();
  await expect.poll(() => status(site)).toMatchObject({ ...ended, mode: null, pendingRelations: 0 });
  expect(await currencies(site)).toMatchObject([{ _displayValue: 'Euro' }, { _displayValue: 'Euro' }]);
});

test('the same applies to references within lines', async () => {
  const site = await harness.site();
  const shown = async () => {
    const { docs } = await page(site.scope, entities.JournalEntry, { conditions: [], sort: [], limit: 1 });
    return JSON.parse(docs[0] ?? '').lines;
  };
  site.system.put({ kind: 'entry', name: 'Rent', lines: [{ amount: 5, currency: 'EUR' }, { amount: 7 }] });
  await sync(site, 'full');
  expect(await shown()).toEqual([
    { debit: 5, currency: null },
    { debit: 7, currency: null },
  ]);
  const { id } = site.system.put({ kind: 'currency', code: 'EUR', name: 'Euro' });
  await sync(site, 'incremental');
  expect(await shown()).toMatchObject([{ currency: { _displayValue: 'Euro', _idValue: `${id}` } }, {}]);
  site.system.put({ id, name: 'euro' });
  await sync(site, 'incremental');
  expect(await shown()).toMatchObject([{ currency: { _displayValue: 'euro' } }, { currency: null }]);
});

test('the record of a row that no longer belongs to an entity is deleted', async () => {
  const site = await harness.site();
  const { id } = site.system.put(vendor('A'));
  await sync(site, 'full');
  site.system.put({ id, kind: 'retired' });
  await sync(site, 'incremental');
  expect(await names(site)).toEqual([]);
  expect(await rawStreams(site.scope)).toEqual([{ stream: 'rows', rows: 1 }]);
});

test('a page that was requested before a write does not undo it', async () => {
  const site = await harness.site();
  for (let n = 0; n < 50; n += 1) site.system.put(vendor(`V${n}`, { terms: 'old' }));
  await sync(site, 'full');
  for (const row of site.system.rows.values()) site.system.put({ id: row.id, notes: 'touched' });
  const [target, doomed] = await vendors(site);
  // The page was read, but not stored yet, while the writes happen.
  const held = site.system.holdNext('page');
  const run = sync(site, 'full');
  await held.made;
  await site.write({ op: 'update', targetId: String(target?.id), input: { terms: 'new' } });
  await site.write({ op: 'delete', targetId: String(doomed?.id) });
  held.letGo();
  await run;
  const after = await vendors(site);
  expect(after).toHaveLength(49);
  expect(after.find(({ id }) => id === target?.id)).toMatchObject({ terms: 'new', notes: 'touched' });
  expect(after.filter(({ notes }) => notes === 'touched')).toHaveLength(49);
});

test('an action that leads to a later state has no warning if a sync stores that state first', async () => {
  const site = await harness.site();
  const { targetId } = await site.write({ entity: 'WorkOrder', input: { name: 'Pump' } });
  site.system.onAction = () => 'complete';
  const held = site.system.holdNext('row');
  const started = site.write({ op: 'action', entity: 'WorkOrder', targetId: targetId ?? '', action: 'start' });
  await held.made;
  await sync(site, 'full');
  held.letGo();
  expect(await started).toMatchObject({
    ...{ status: 'succeeded', warnings: [] },
    result: { record: { statusCategory: 'completed' } },
  });
});

test('a killed run continues where it stopped, and detects deletions', async () => {
  await worker.stop();
  const system = await harness.system();
  for (let n = 0; n < 1_000; n += 1) system.put(vendor(`V${n}`));
  const site = await harness.site(system);
  const seen = async () => (await status(site))?.rowsSeen ?? 0;
  for (let killed = 0; killed < 3; killed += 1) {
    const before = await seen();
    // Nine pages, so the pass is never complete. During the second one the worker is killed at a random point.
    system.admitPages(3);
    const child = await startWorkerProcess(harness, 1);
    await expect.poll(seen, { interval: 5 }).toBeGreaterThan(before);
    await child.kill();
  }
  // Requests of the killed workers no longer count.
  await expect.poll(() => system.connections()).toBe(0);
  const before = await seen();
  const calls = system.calls();
  system.admitPages(Infinity);
  const last = await startWorkerProcess(harness, 1);
  await expect.poll(async () => (await status(site))?.lastSuccessAt ?? null).not.toBeNull();
  await last.kill();
  expect(await status(site)).toMatchObject({ rowsSeen: 1_000, error: null });
  expect(system.calls() - calls).toBe((1_000 - before) / 100);
  const { total } = await page(site.scope, entities.Vendor, { conditions: [], sort: [], limit: 1, withTotal: true });
  expect(total).toBe(1_000);
});

test('when the worker is killed before the relations are filled in, another one fills them in and reads nothing again', async () => {
  await worker.stop();
  // With a single slot, retries for connections of other tests would occupy it: they wait for the relations as well.
  const slots = 4;
  const child = await startWorkerProcess(harness, slots);
  const { site, relations } = await readButForRelations();
  await child.kill();
  const calls = site.system.calls();
  const next = await startWorkerProcess(harness, slots);
  await relations.letGo();
  await expect.poll(() => status(site)).toMatchObject({ ...ended, pendingRelations: 0 });
  await next.kill();
  expect(await currencies(site)).toMatchObject([{ _displayValue: 'Euro' }, { _displayValue: 'Euro' }]);
  expect(site.system.calls()).toBe(calls);
});
