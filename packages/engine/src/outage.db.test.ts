import { expect, test } from 'vitest';
import { startWorld } from '../test/world.ts';

const world = await startWorld();

test('a worker and those who wait outlive a database that goes away and comes back', async () => {
  const site = await world.site();
  await world.worker();
  site.system.admit(0);
  const during = await site.createVendor('During');
  await expect.poll(() => site.system.calls(), { interval: 5 }).toBeGreaterThan(1);
  await world.restart(() => site.system.admit(Infinity));
  const before = await site.settled(during);
  expect(before.status).toBe('succeeded');
  expect(await site.write({ input: { name: 'After' } })).toMatchObject({ status: 'succeeded', attempts: 1 });
  expect(site.system.log).toEqual(['create During', 'create After']);
});
