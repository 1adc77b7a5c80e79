import { pino } from 'pino';
import { expect, test, vi } from 'vitest';
import { startHarness } from '../test/harness.ts';

// Restarts a database, which is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

// The engine and the worker notice the outage in any order, and share one log.
const errors: string[] = [];
const log = pino({ level: 'error' }, { write: (line) => void errors.push(JSON.parse(line).err.message) });
const harness = await startHarness(undefined, log);

test('a worker and waiting requests survive a database outage, which is logged as one error', async () => {
  const site = await harness.site();
  await harness.worker({ syncs: 2 });
  await site.synced('full');
  site.system.admit(0);
  const during = await site.createVendor('During');
  const before = site.system.calls();
  await expect.poll(() => site.system.calls(), { interval: 5 }).toBeGreaterThan(before);
  await harness.restart(() => site.system.admit(Infinity));
  expect((await site.settled(during)).status).toBe('succeeded');
  expect(await site.write({ input: { name: 'After' } })).toMatchObject({ status: 'succeeded', attempts: 1 });
  expect(site.system.log).toEqual(['create During', 'create After']);
  expect(errors).toEqual([expect.stringMatching(/database|connection/i)]);
});
