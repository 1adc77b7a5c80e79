import { expect, test } from 'vitest';
import { startHarness } from '../test/harness.ts';

const harness = await startHarness();

test('a worker and those who wait outlive a database that goes away and comes back', async () => {
  const site = await harness.site();
  await harness.worker();
  site.system.admit(0);
  const during = await site.createVendor('During');
  await expect.poll(() => site.system.calls(), { interval: 5 }).toBeGreaterThan(1);
  await harness.restart(() => site.system.admit(Infinity));
  const before = await site.settled(during);
  expect(before.status).toBe('succeeded');
  expect(await site.write({ input: { name: 'After' } })).toMatchObject({ status: 'succeeded', attempts: 1 });
  expect(site.system.log).toEqual(['create During', 'create After']);
});
