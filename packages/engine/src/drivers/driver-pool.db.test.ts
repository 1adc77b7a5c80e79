import { entities } from '@unified/contract';
import { deactivateConnection, page, replaceSettings } from '@unified/store';
import { expect, test } from 'vitest';
import { faultySystems } from '../../test/faulty-platform.ts';
import type { FaultySystem } from '../../test/faulty-system.ts';
import { log, type Site, startWorld } from '../../test/world.ts';
import { createLinks } from './driver-pool.ts';

const world = await startWorld();
const { engine } = world;
await world.worker({ syncs: 1 });

/** Changes the settings of a connection: what they lead to now holds nothing yet. */
async function moveTo({ connectionId }: Site): Promise<FaultySystem> {
  const system = await world.system();
  await replaceSettings(world.store, connectionId, { url: system.url });
  return system;
}

const status = async ({ scope }: Site) => (await engine.syncStatus(scope))[0];

async function names({ scope }: Site): Promise<unknown[]> {
  const { docs } = await page(scope, entities.Vendor, { conditions: [], sort: [], limit: 500 });
  return JSON.parse(`[${docs}]`).map(({ name }: { name: string }) => name);
}

test('a sync goes on with the settings that it began with, while a write uses those of now', async () => {
  const site = await world.site();
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

test('a write goes on with the settings that it began with, while a sync uses those of now', async () => {
  const site = await world.site();
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

/** Links of their own, and the addresses to which there is an open one. */
function countedLinks() {
  const open: unknown[] = [];
  const links = createLinks({
    store: world.store,
    log,
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
  return { links, open };
}

/** A use of a link that lasts until it is let go. */
function lastingUse(links: ReturnType<typeof createLinks>, connectionId: string) {
  const [begun, free] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const ended = links.use(connectionId, async ({ driver }) => {
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

test('whoever comes at the same time gets the same link', async () => {
  const { connectionId, system } = await world.site();
  const { links, open } = countedLinks();
  await Promise.all([1, 2, 3].map(() => links.use(connectionId, ({ driver }) => driver.check())));
  expect(open).toEqual([system.url]);
  await links.close();
  expect(open).toEqual([]);
});

test('a link whose settings changed is closed by the last who works with it', async () => {
  const site = await world.site();
  const { links, open } = countedLinks();
  const [first, second] = [lastingUse(links, site.connectionId), lastingUse(links, site.connectionId)];
  await Promise.all([first.begun, second.begun]);
  const now = await moveTo(site);
  await links.use(site.connectionId, ({ driver }) => driver.check());
  expect(open).toEqual([site.system.url, now.url]);
  await first.letGo();
  expect(open).toEqual([site.system.url, now.url]);
  await second.letGo();
  expect(open).toEqual([now.url]);
  await links.close();
});

test('a reader has the link until he leaves', async () => {
  const site = await world.site();
  const { links, open } = countedLinks();
  const pieces = links.read(site.connectionId, async function* ({ driver }) {
    for (;;) yield driver.check();
  });
  for await (const _ of pieces) {
    const now = await moveTo(site);
    await links.use(site.connectionId, ({ driver }) => driver.check());
    expect(open).toEqual([site.system.url, now.url]);
    break;
  }
  expect(open).toHaveLength(1);
  await links.close();
});

test('nobody gets the link of a connection that was deactivated', async () => {
  const { connectionId } = await world.site();
  const { links, open } = countedLinks();
  await links.use(connectionId, ({ driver }) => driver.check());
  await deactivateConnection(world.store, connectionId);
  expect(await links.use(connectionId, async () => expect.fail('lent'))).toBeUndefined();
  expect(open).toEqual([]);
  const reading = links
    .read(connectionId, () => expect.fail('lent'))
    [Symbol.asyncIterator]()
    .next();
  await expect(reading).rejects.toMatchObject({ code: 'SERVICE_CONNECTION_INACTIVE' });
});
