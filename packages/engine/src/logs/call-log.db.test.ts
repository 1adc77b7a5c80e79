import { pageOfSystemCalls, syncStates } from '@unified/store';
import { expect, test, vi } from 'vitest';
import { startHarness } from '../../test/harness.ts';

// Waits for workers, which is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const harness = await startHarness();
const { store } = harness;

test('the calls of a write and of a sync are stored as parts of it, with the reason of a failure', async () => {
  const site = await harness.site();
  const application = store.application(site.scope.applicationId);
  const { connectionId } = site;
  const calls = (more: object) => pageOfSystemCalls(application, { connectionId, limit: 100, ...more });
  const worker = await harness.worker({ syncs: 1 });
  await site.sync('full');
  const good = await site.settled(await site.createVendor('ACME'));
  site.system.faults.write.push('no');
  const bad = await site.settled(await site.createVendor('Refused'));
  expect([good.status, bad.status]).toEqual(['succeeded', 'failed']);
  // Stores what waits to be stored.
  await worker.stop();

  const ofGood = await calls({ writeId: good.writeId });
  expect(ofGood.length).toBeGreaterThan(0);
  for (const call of ofGood) {
    expect(call).toMatchObject({ purpose: 'write', stream: 'rows', syncStartedAt: null, outcome: 'ok', message: null });
  }
  const failed = await calls({ failed: true });
  expect(failed).toMatchObject([{ writeId: bad.writeId, outcome: 'rejected', message: bad.error?.message }]);
  const ofSync = await calls({ purpose: 'sync' });
  expect(ofSync.length).toBeGreaterThan(0);
  const [state] = await syncStates(site.scope);
  for (const { stream, writeId, syncStartedAt } of ofSync) {
    expect([stream, writeId]).toEqual([state?.stream, null]);
    expect(Date.parse(String(syncStartedAt))).toBeLessThanOrEqual(Date.parse(state?.lastSuccessAt ?? ''));
  }
  const all = await calls({});
  expect(await calls({ limit: 1, before: all[0]?.id })).toEqual([all[1]]);
  expect(await calls({ since: all[0]?.at })).toEqual([]);
});
