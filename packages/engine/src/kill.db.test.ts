import { setTimeout as pause } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { persistentRetries } from '../test/fast-retries.ts';
import type { Fault } from '../test/faulty-system.ts';
import { type Site, startHarness } from '../test/harness.ts';
import { startWorkerProcess } from '../test/worker-process.ts';

// Starts processes, which is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const harness = await startHarness();

const PER_SITE = 40;
const KILLS = 12;
/** Maximum number of changes in one system until the next kill. */
const MOST_PER_KILL = 3;

/** Number of changes that have taken effect so far. */
function changes(sites: readonly Site[]): number {
  return sites.reduce((sum, { system }) => sum + system.log.length, 0);
}

/** Starts a worker and kills it at a random time, after a few changes and before it has finished. */
async function killAtWork(sites: readonly Site[]): Promise<void> {
  for (const { system } of sites) system.admit(MOST_PER_KILL);
  const worker = await startWorkerProcess(harness);
  const enough = changes(sites) + 1 + Math.floor(Math.random() * 3);
  await expect.poll(() => changes(sites), { interval: 1 }).toBeGreaterThanOrEqual(enough);
  // Long enough for a kill to interrupt any step of a write.
  await pause(Math.random() * 15);
  await worker.kill();
}

test('workers killed at random times lose nothing, duplicate nothing and keep the order', {
  timeout: 600_000,
}, async () => {
  const sites = await Promise.all([harness.site(), harness.site(), harness.site()]);
  const writes: { site: Site; writeId: string }[] = [];
  for (let n = 0; n < PER_SITE; n += 1) {
    for (const site of sites) writes.push({ site, writeId: await site.createVendor(`V${n}`) });
  }
  // Some responses are lost, so the next worker also finds unknown outcomes.
  const mishaps: (Fault | null)[] = [null, null, null, 'lost', null, null, 'dropped', null, 'slow', null];
  for (const { system } of sites) system.faults.write.push(...mishaps);

  for (let killed = 0; killed < KILLS; killed += 1) await killAtWork(sites);
  for (const { system } of sites) system.admit(Infinity);
  await harness.worker({ policies: persistentRetries });
  const records = await Promise.all(writes.map(({ site, writeId }) => site.settled(writeId)));

  const expected = Array.from({ length: PER_SITE }, (_, n) => `create V${n}`);
  for (const { system } of sites) expect(system.log).toEqual(expected);
  expect(records.every(({ status, synced }) => status === 'succeeded' && synced)).toBe(true);
});

test('a worker that loses its lock stops before any further change, and another one continues', async () => {
  const site = await harness.site();
  await harness.worker({ policies: persistentRetries });
  await harness.worker({ policies: persistentRetries });
  const ids: string[] = [];
  for (let n = 0; n < 30; n += 1) ids.push(await site.createVendor(`V${n}`));
  for (let round = 0; round < 5; round += 1) {
    await expect.poll(() => site.system.log.length, { interval: 1 }).toBeGreaterThan(round * 5);
    await harness.dropLocks();
  }
  for (const id of ids) expect(await site.settled(id)).toMatchObject({ error: null, status: 'succeeded' });
  expect(site.system.log).toEqual(ids.map((_, n) => `create V${n}`));
});
