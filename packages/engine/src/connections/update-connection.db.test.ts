import { entities } from '@unified/contract';
import { connectionById, page } from '@unified/store';
import { expect, test } from 'vitest';
import { origin, type Site, startHarness } from '../../test/harness.ts';
import { ConnectionNotFound, connectionOverviews, findConnection, updateConnection } from '../index.ts';

const harness = await startHarness();
const { store, engine } = harness;
const parts = { store, engine, origin };
await harness.worker({ syncs: 1 });

async function vendorIds({ scope }: Site): Promise<unknown[]> {
  const { docs } = await page(scope, entities.Vendor, { conditions: [], sort: [], limit: 9 });
  return JSON.parse(`[${docs}]`).map(({ id }: { id: string }) => id);
}

test('new settings are used immediately, and records keep their ids', async () => {
  const site = await harness.site();
  site.system.put({ kind: 'vendor', name: 'V' });
  await site.sync('full');
  const ids = await vendorIds(site);
  const moved = await harness.system();
  moved.put({ kind: 'vendor', name: 'Moved' });
  await updateConnection(parts, site.scope, { name: 'Renamed', settings: { url: moved.url } });
  await site.synced('incremental');
  expect(moved.calls()).toBeGreaterThan(0);
  expect(await vendorIds(site)).toEqual(ids);
  expect(await connectionById(store, site.connectionId)).toMatchObject({ name: 'Renamed' });
});

test('the next run follows a new schedule', async () => {
  const site = await harness.site();
  await site.sync('full');
  await updateConnection(parts, site.scope, { schedule: { syncEveryMinutes: 5 } });
  await site.synced('incremental');
  const within = { applicationId: site.scope.applicationId };
  const overview = (await connectionOverviews({ store }, within)).find(({ id }) => id === site.connectionId);
  // This overview is created with the built-in platforms, which do not include the platform of this test.
  expect(overview?.problems).toEqual([expect.stringContaining('There is no platform "faulty"')]);
  const [status] = await engine.syncStatus(site.scope);
  const minutes = (Date.parse(status?.nextRunAt ?? '') - Date.parse(status?.lastSuccessAt ?? '')) / 60_000;
  expect(Math.round(minutes)).toBeGreaterThanOrEqual(5);
  expect(Math.round(minutes)).toBeLessThan(7);
});

test('a name that is taken changes nothing, and neither does a connection of another application', async () => {
  const [one, other] = [await harness.site(), await harness.site()];
  const { name = '' } = (await connectionById(store, other.connectionId)) ?? {};
  const settings = { url: other.system.url };
  const taken = updateConnection(parts, one.scope, { name, settings });
  await expect(taken).rejects.toMatchObject({ name: 'ConnectionNameTaken' });
  const stranger = { connectionId: one.connectionId, applicationId: one.connectionId };
  expect(await updateConnection(parts, stranger, { settings })).toBeNull();
  const { applicationId } = one.scope;
  expect(await findConnection(store, { applicationId }, one.connectionId)).toMatchObject({ id: one.connectionId });
  const another = { applicationId: one.connectionId };
  await expect(findConnection(store, another, one.connectionId)).rejects.toBeInstanceOf(ConnectionNotFound);
});
