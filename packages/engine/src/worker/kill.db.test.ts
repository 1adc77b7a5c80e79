import { expect, test } from 'vitest';
import type { Fault } from '../../test/faulty-system.ts';
import { startWorkerProcess } from '../../test/worker-process.ts';
import { type Site, startWorld } from '../../test/world.ts';

const world = await startWorld();

/** Kills worker after worker at random moments until every write is settled; gives how many died. */
async function killUntilSettled(writes: readonly { site: Site; writeId: string }[]): Promise<number> {
  for (let killed = 0; ; killed += 1) {
    const worker = await startWorkerProcess(world);
    const isOver = await Promise.race([allSettled(writes), randomMoment()]);
    await worker.kill();
    if (isOver) return killed;
  }
}

async function allSettled(writes: readonly { site: Site; writeId: string }[]): Promise<true> {
  for (const { site, writeId } of writes) {
    while ((await site.settled(writeId)).finishedAt === null);
  }
  return true;
}

/** From the first claim to the middle of a long drain. */
function randomMoment(): Promise<false> {
  return new Promise((resolve) => setTimeout(() => resolve(false), 50 + Math.random() * 450));
}

test('workers killed at random moments lose nothing, double nothing and keep the order', {
  timeout: 180_000,
}, async () => {
  const sites = await Promise.all([world.site(), world.site(), world.site()]);
  const writes: { site: Site; writeId: string }[] = [];
  const perSite = 25;
  for (let n = 0; n < perSite; n += 1) {
    for (const site of sites) writes.push({ site, writeId: await site.createVendor(`V${n}`) });
  }
  // Some answers get lost on top, so that the killed worker's successor also meets unknown outcomes of its own.
  const mishaps: (Fault | null)[] = [null, null, null, 'lost', null, null, 'dropped', null, 'slow', null];
  for (const { system } of sites) system.faults.write.push(...mishaps);

  const killed = await killUntilSettled(writes);

  expect(killed).toBeGreaterThan(5);
  const expected = Array.from({ length: perSite }, (_, n) => `create V${n}`);
  for (const { system } of sites) expect(system.log).toEqual(expected);
  const records = await Promise.all(writes.map(({ site, writeId }) => site.settled(writeId)));
  expect(records.every(({ status, synced }) => status === 'succeeded' && synced)).toBe(true);
});

test('a worker that loses its lock stops before it changes anything more, and another goes on', async () => {
  const site = await world.site();
  await world.worker();
  await world.worker();
  const ids: string[] = [];
  for (let n = 0; n < 30; n += 1) ids.push(await site.createVendor(`V${n}`));
  for (let round = 0; round < 5; round += 1) {
    await expect.poll(() => site.system.log.length, { interval: 1, timeout: 10_000 }).toBeGreaterThan(round * 5);
    await world.dropLocks();
  }
  for (const id of ids) expect(await site.settled(id)).toMatchObject({ error: null, status: 'succeeded' });
  expect(site.system.log).toEqual(ids.map((_, n) => `create V${n}`));
});
