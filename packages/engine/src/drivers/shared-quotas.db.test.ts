import { SystemError } from '@unified/connectors';
import { expect, onTestFinished, test } from 'vitest';
import { faultySystems } from '../../test/faulty-platform.ts';
import { log, startHarness } from '../../test/harness.ts';
import { createEngine, type Systems } from '../index.ts';
import { memoryQuotas, type Quotas } from './quotas.ts';

const harness = await startHarness();
const digest = { sha256: '0'.repeat(64), sizeBytes: 1 };

/** An engine whose systems look up files with `find`. */
function engineWith(find: () => Promise<typeof digest>, quotas?: Quotas) {
  const systems: Systems = {
    ...faultySystems,
    openDriver: (platform, settings) => ({
      ...faultySystems.openDriver(platform, settings),
      contents: { find, read: () => expect.fail('read') },
    }),
  };
  const { store, databaseUrl } = harness;
  const engine = createEngine({ store, databaseUrl, log, systems, ...(quotas && { quotas }) });
  onTestFinished(() => engine.close());
  return engine;
}

const throttled = async () => {
  throw new SystemError('throttled', 'Slow down.', { retryAfter: 600 });
};

test.each([
  ['engines that share quotas do not call a system that requested a pause from one of them', memoryQuotas(), 0],
  ['engines without shared quotas call it', undefined, 1],
])('%s', async (_, quotas, expected) => {
  const { scope } = await harness.site();
  const { Vendor } = scope.entities;
  if (!Vendor) throw new Error('There is no entity Vendor.');
  let calls = 0;
  const find = async () => {
    calls += 1;
    return digest;
  };
  const file = { sha256: null, _idValue: '1' };
  const [first, second] = [engineWith(throttled, quotas), engineWith(find, quotas)];
  await expect(first.openFile(scope, Vendor, file)).rejects.toThrow();
  const opened = await second.openFile(scope, Vendor, file).catch((error: Error) => error);
  expect(calls).toBe(expected);
  expect(opened instanceof Error).toBe(expected === 0);
});

test('a worker waits for the pause that was requested from an engine', async () => {
  const quotas = memoryQuotas();
  const site = await harness.site();
  const { Vendor } = site.scope.entities;
  if (!Vendor) throw new Error('There is no entity Vendor.');
  const file = { sha256: null, _idValue: '1' };
  await expect(engineWith(throttled, quotas).openFile(site.scope, Vendor, file)).rejects.toThrow();
  const asked = Promise.withResolvers<void>();
  const watched: Quotas = {
    acquire: (id, priority) => quotas.acquire(id, priority),
    pause: (id, pause) => quotas.pause(id, pause),
    async pausesOf(ids) {
      const pauses = await quotas.pausesOf(ids);
      if (pauses.size > 0) asked.resolve();
      return pauses;
    },
    resume: (id) => quotas.resume(id),
    usage: (id) => quotas.usage(id),
  };
  await harness.worker({ quotas: watched });
  const writeId = await site.createVendor('Later');
  await asked.promise;
  expect(site.system.calls()).toBe(0);
  expect(await harness.engine.writeById(site.scope, writeId)).toMatchObject({ status: 'pending', attempts: 0 });
});
