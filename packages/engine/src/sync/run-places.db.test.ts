import type { PullRequest } from '@unified/connectors';
import { saveSyncState } from '@unified/store';
import { expect, test, vi } from 'vitest';
import { faultySystems } from '../../test/faulty-platform.ts';
import { startHarness } from '../../test/harness.ts';
import { begun, PATIENCE, runSites } from '../../test/run-sites.ts';
import type { Systems } from '../model/systems.ts';

// A machine that is busy needs longer.
vi.setConfig({ testTimeout: 120_000 });

const harness = await startHarness();

const { endless, copied, lastSuccess, postponed, makeDue } = runSites(harness);

test('first copies that do not end leave places for the changes of other connections', async () => {
  const [site] = await copied(1);
  if (!site) throw new Error('There is no connection.');
  const copies = await Promise.all(Array.from({ length: 4 }, endless));
  const worker = await harness.worker({ syncs: 4 });
  await expect.poll(begun(copies), PATIENCE).toBeGreaterThanOrEqual(2);
  const before = await lastSuccess(site);
  await makeDue(site);
  await expect.poll(() => lastSuccess(site), PATIENCE).not.toBe(before);
  expect(await begun(copies)()).toBe(2);
  for (const { system } of copies) system.admitPages(Number.POSITIVE_INFINITY);
  for (const copy of copies) await expect.poll(() => lastSuccess(copy), PATIENCE).toEqual(expect.any(String));
  await worker.stop();
});

test('never more runs than places, and never more long ones than half of them', async () => {
  const sites = await copied(4);
  const counts = { all: 0, copies: 0, mostAll: 0, mostCopies: 0 };
  const copies = new Set<string>();
  const counted: Systems = {
    ...faultySystems,
    openDriver(platform, settings, host) {
      const driver = faultySystems.openDriver(platform, settings, host);
      const isCopy = copies.has(String(settings.url));
      const pull = async (request: PullRequest) => {
        counts.mostAll = Math.max(counts.mostAll, ++counts.all);
        if (isCopy) counts.mostCopies = Math.max(counts.mostCopies, ++counts.copies);
        try {
          return await driver.pull(request);
        } finally {
          counts.all -= 1;
          if (isCopy) counts.copies -= 1;
        }
      };
      const { changes } = driver;
      return { ...driver, pull, ...(changes && { changes: { ...changes, pull } }) };
    },
  };
  const first = await Promise.all(Array.from({ length: 4 }, endless));
  for (const { system } of first) copies.add(system.url);
  for (const site of sites) {
    site.system.put({ kind: 'vendor', name: 'B' });
    site.system.admitPages(0);
    await makeDue(site);
  }
  const worker = await harness.worker({ syncs: 4, systems: counted });
  const all = [...sites, ...first];
  await expect.poll(begun(all), PATIENCE).toBe(4);
  for (const { system } of all) system.admitPages(Number.POSITIVE_INFINITY);
  for (const site of all) await expect.poll(() => lastSuccess(site), PATIENCE).toEqual(expect.any(String));
  expect(counts).toMatchObject({ mostAll: 4, copies: 0 });
  expect(counts.mostCopies).toBeLessThanOrEqual(2);
  await worker.stop();
});

test('a run that unexpectedly lasts counts as long, and a run is expected to be as long as the last one', async () => {
  const [slow, quick] = await copied(2);
  if (!slow || !quick) throw new Error('There are no connections.');
  slow.system.admitPages(0);
  await makeDue(slow);
  const worker = await harness.worker({ syncs: 2, longAfterMs: 0 });
  await expect.poll(begun([slow]), PATIENCE).toBe(1);
  const copy = await endless();
  await expect.poll(() => postponed(copy), PATIENCE).toBe(1);
  expect(await begun([copy])()).toBe(0);
  slow.system.admitPages(Number.POSITIVE_INFINITY);
  await expect.poll(begun([copy]), PATIENCE).toBe(1);
  await saveSyncState(quick.scope, 'rows', { changesSeconds: 90 });
  await makeDue(quick);
  await expect.poll(() => postponed(quick), PATIENCE).toBe(1);
  const before = await lastSuccess(quick);
  copy.system.admitPages(Number.POSITIVE_INFINITY);
  await expect.poll(() => lastSuccess(quick), PATIENCE).not.toBe(before);
  await worker.stop();
});
