import { entities } from '@unified/contract';
import { deactivateConnection, page, replaceSettings } from '@unified/store';
import { expect, test } from 'vitest';
import { faultySystems } from '../../test/faulty-platform.ts';
import type { FaultySystem } from '../../test/faulty-system.ts';
import { log, type Site, startHarness } from '../../test/harness.ts';
import type { Systems } from '../model/systems.ts';
import { createDriverPool } from './driver-pool.ts';
import { memoryQuotas } from './quotas.ts';

const harness = await startHarness();
const { engine } = harness;
await harness.worker({ syncs: 1 });

/** Changes the settings of a connection so that they lead to a different, empty system. */
async function moveTo({ connectionId }: Site): Promise<FaultySystem> {
  const system = await harness.system();
  await replaceSettings(harness.store, connectionId, { url: system.url });
  return system;
}

const status = async ({ scope }: Site) => (await engine.syncStatus(scope))[0];

async function names({ scope }: Site): Promise<unknown[]> {
  const { docs } = await page(scope, entities.Vendor, { conditions: [], sort: [], limit: 500 });
  return JSON.parse(`[${docs}]`).map(({ name }: { name: string }) => name);
}

test('a sync continues with the settings it started with, while a write uses the current ones', async () => {
  const site = await harness.site();
  for (let n = 0; n < 300; n += 1) site.system.put({ kind: 'vendor', name: `V${n}` });
  const held = site.system.holdNext('page');
  const syncing = site.sync('full');
  await held.made;
  const now = await moveTo(site);
  expect(await site.write({ input: { name: 'New' } })).toMatchObject({ status: 'succeeded' });
  expect([site.system.log, now.log]).toEqual([[], ['create New']]);
  held.letGo();
  await syncing;
  expect(await status(site)).toMatchObject({ error: null, lastSuccessAt: expect.any(String) });
  const calls = site.system.calls();
  await site.sync('full');
  expect(await names(site)).toEqual(['New']);
  expect(site.system.calls()).toBe(calls);
});

test('a write continues with the settings it started with, while a sync uses the current ones', async () => {
  const site = await harness.site();
  const held = site.system.holdNext('look');
  const writeId = await site.createVendor('Old');
  await held.made;
  const now = await moveTo(site);
  now.put({ kind: 'vendor', name: 'There' });
  await site.sync('full');
  expect(await names(site)).toEqual(['There']);
  held.letGo();
  expect(await site.settled(writeId)).toMatchObject({ status: 'succeeded', attempts: 1 });
  expect(await site.write({ input: { name: 'New' } })).toMatchObject({ status: 'succeeded' });
  expect([site.system.log, now.log]).toEqual([['create Old'], ['create New']]);
});

test('a write that was accepted after a change of the settings uses the new ones, even if the queue is in use', async () => {
  const site = await harness.site();
  const held = site.system.holdNext('look');
  const first = await site.createVendor('Old');
  await held.made;
  const now = await moveTo(site);
  const second = await site.createVendor('New');
  held.letGo();
  expect(await site.settled(first)).toMatchObject({ status: 'succeeded' });
  expect(await site.settled(second)).toMatchObject({ status: 'succeeded' });
  expect([site.system.log, now.log]).toEqual([['create Old'], ['create New']]);
});

/** A separate driver pool, and the addresses with an open session. */
function countedLinks(mostIdle?: number) {
  const open: unknown[] = [];
  const drivers = createDriverPool({
    calls: { add: () => {} },
    store: harness.store,
    log,
    quotas: memoryQuotas(),
    ...(mostIdle !== undefined && { mostIdle }),
    systems: {
      ...faultySystems,
      openDriver(platform, settings) {
        const driver = faultySystems.openDriver(platform, settings);
        open.push(settings.url);
        const close = async () => {
          open.splice(open.indexOf(settings.url), 1);
          await driver.close();
        };
        return { ...driver, close };
      },
    },
  });
  return { drivers, open };
}

/** A use of a session that lasts until it is released. */
function lastingUse(drivers: ReturnType<typeof createDriverPool>, connectionId: string) {
  const [begun, free] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const ended = drivers.withDriver(connectionId, async ({ driver }) => {
    begun.resolve();
    await free.promise;
    await driver.check();
  });
  const letGo = () => {
    free.resolve();
    return ended;
  };
  return { begun: begun.promise, letGo };
}

test('concurrent users get the same session', async () => {
  const { connectionId, system } = await harness.site();
  const { drivers, open } = countedLinks();
  await Promise.all([1, 2, 3].map(() => drivers.withDriver(connectionId, ({ driver }) => driver.check())));
  expect(open).toEqual([system.url]);
  await drivers.close();
  expect(open).toEqual([]);
});

test('of the sessions without a user, those that were used last stay open', async () => {
  const sites = [await harness.site(), await harness.site(), await harness.site(), await harness.site()] as const;
  const [first, second, third, fourth] = sites;
  const { drivers, open } = countedLinks(2);
  const use = ({ connectionId }: Site) => drivers.withDriver(connectionId, ({ driver }) => driver.check());
  const urls = (...of: Site[]) => of.map(({ system }) => system.url);
  const inUse = lastingUse(drivers, first.connectionId);
  await inUse.begun;
  for (const site of [second, third, second, fourth]) await use(site);
  expect(open).toEqual(urls(first, second, fourth));
  await use(third);
  expect(open).toEqual(urls(first, fourth, third));
  await inUse.letGo();
  expect(open).toEqual(urls(first, third));
  await drivers.close();
  expect(open).toEqual([]);
});

test('a session whose settings changed is closed by its last user', async () => {
  const site = await harness.site();
  const { drivers, open } = countedLinks();
  const [first, second] = [lastingUse(drivers, site.connectionId), lastingUse(drivers, site.connectionId)];
  await Promise.all([first.begun, second.begun]);
  const now = await moveTo(site);
  await drivers.withDriver(site.connectionId, ({ driver }) => driver.check());
  expect(open).toEqual([site.system.url, now.url]);
  await first.letGo();
  expect(open).toEqual([site.system.url, now.url]);
  await second.letGo();
  expect(open).toEqual([now.url]);
  await drivers.close();
});

test('a reader has the session until it finishes', async () => {
  const site = await harness.site();
  const { drivers, open } = countedLinks();
  const pieces = drivers.readWithDriver(site.connectionId, async function* ({ driver }) {
    for (;;) yield driver.check();
  });
  for await (const _ of pieces) {
    const now = await moveTo(site);
    await drivers.withDriver(site.connectionId, ({ driver }) => driver.check());
    expect(open).toEqual([site.system.url, now.url]);
    break;
  }
  expect(open).toHaveLength(1);
  await drivers.close();
});

test('the session of a deactivated connection is not used', async () => {
  const { connectionId } = await harness.site();
  const { drivers, open } = countedLinks();
  await drivers.withDriver(connectionId, ({ driver }) => driver.check());
  await deactivateConnection(harness.store, connectionId);
  expect(await drivers.withDriver(connectionId, async () => expect.fail('pooled'))).toBeUndefined();
  expect(open).toEqual([]);
  const reading = drivers
    .readWithDriver(connectionId, () => expect.fail('pooled'))
    [Symbol.asyncIterator]()
    .next();
  await expect(reading).rejects.toMatchObject({ code: 'SERVICE_CONNECTION_INACTIVE' });
});

test('the next user gets a new session after platforms have been loaded again', async () => {
  const site = await harness.site();
  let [version, opened] = [0, 0];
  const systems: Systems = {
    ...faultySystems,
    version: () => version,
    openDriver(...given) {
      opened += 1;
      return faultySystems.openDriver(...given);
    },
  };
  const drivers = createDriverPool({
    store: harness.store,
    log,
    quotas: memoryQuotas(),
    systems,
    calls: { add: () => {} },
  });
  const sessionsAt = async (now: number) => {
    version = now;
    await drivers.withDriver(site.connectionId, async () => undefined);
    return opened;
  };
  expect([await sessionsAt(0), await sessionsAt(0), await sessionsAt(1), await sessionsAt(1)]).toEqual([1, 1, 2, 2]);
  await drivers.close();
});
