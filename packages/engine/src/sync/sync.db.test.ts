import { entities } from '@unified/contract';
import { page, rawStreams } from '@unified/store';
import { expect, test } from 'vitest';
import { startWorkerProcess } from '../../test/worker-process.ts';
import { type Site, startWorld } from '../../test/world.ts';
import type { SyncMode } from './sync-mode.ts';

const world = await startWorld();
const { engine } = world;
const worker = await world.worker({ syncs: 2 });

async function vendors({ scope }: Site): Promise<Record<string, unknown>[]> {
  const { docs } = await page(scope, entities.Vendor, { conditions: [], sort: [], limit: 500 });
  return JSON.parse(`[${docs}]`);
}

async function names(site: Site): Promise<unknown[]> {
  return (await vendors(site)).map(({ name }) => name).sort();
}

async function currencies(site: Site): Promise<unknown[]> {
  return (await vendors(site)).map(({ currency }) => currency);
}

async function status(site: Site) {
  const [stream] = await engine.syncStatus(site.scope);
  return stream;
}

/** Asks for a sync and waits until it ended, well or badly. */
async function sync(site: Site, mode: SyncMode) {
  const before = await status(site);
  await engine.requestSync(site.connectionId, mode);
  await expect
    .poll(
      async () => {
        const now = await status(site);
        const ended =
          now && now.runningSince === null && now.nextRunAt !== null && Date.parse(now.nextRunAt) > Date.now();
        return ended && now.nextRunAt !== before?.nextRunAt;
      },
      { timeout: 20_000, interval: 20 },
    )
    .toBe(true);
  return status(site);
}

const vendor = (name: string, more = {}) => ({ kind: 'vendor', name, ...more });

test('a new connection is read in full without being asked', async () => {
  const site = await world.site();
  for (let n = 0; n < 250; n += 1) site.system.put(vendor(`V${n}`));
  await expect.poll(async () => (await status(site))?.lastSuccessAt ?? null).not.toBeNull();
  expect((await vendors(site)).length).toBe(250);
  expect(await status(site)).toMatchObject({ stream: 'rows', error: null, runningSince: null, rowsSeen: 250 });
});

test('a sync that is asked for by kinds of records reads the streams that they are made from, and no others', async () => {
  const site = await world.site();
  site.system.put(vendor('Before'));
  await sync(site, 'full');
  site.system.put(vendor('After'));
  await engine.requestSyncOf(site.scope, 'incremental', ['Site']);
  const { nextRunAt } = (await status(site)) ?? {};
  await engine.requestSyncOf(site.scope, 'incremental', ['Vendor']);
  await expect.poll(() => names(site)).toEqual(['After', 'Before']);
  expect((await status(site))?.nextRunAt).not.toBe(nextRunAt);
});

test('what an action changes besides its own record is read when it is done', async () => {
  const site = await world.site();
  await sync(site, 'full');
  const { targetId } = await site.write({ entity: 'WorkOrder', input: { name: 'Pump' } });
  site.system.put(vendor('Changed by the action'));
  const { status: ended } = await site.write({
    op: 'action',
    entity: 'WorkOrder',
    action: 'assign',
    targetId: targetId ?? '',
  });
  expect(ended).toBe('succeeded');
  await expect.poll(() => names(site)).toEqual(['Changed by the action']);
});

test('an incremental run reads what changed, a full one notices what is gone', async () => {
  const site = await world.site();
  const [first, second] = [site.system.put(vendor('A')), site.system.put(vendor('B'))];
  await sync(site, 'full');
  site.system.put({ id: first.id, name: 'A2' });
  site.system.put(vendor('C'));
  site.system.rows.delete(second.id);
  expect(await sync(site, 'incremental')).toMatchObject({ rowsSeen: 2 });
  expect(await names(site)).toEqual(['A2', 'B', 'C']);
  await sync(site, 'full');
  expect(await names(site)).toEqual(['A2', 'C']);
});

test('a full run that fails half way deletes nothing, tells why, and the next goes on at the page', async () => {
  const site = await world.site();
  for (let n = 0; n < 300; n += 1) site.system.put(vendor(`V${n}`));
  await sync(site, 'full');
  site.system.rows.delete(1);
  site.system.rows.delete(299);
  // mark and one page go well, then the system is away for longer than we are patient.
  site.system.faults.read.push(null, null, 'away', 'away', 'away', 'away');
  expect(await sync(site, 'full')).toMatchObject({ error: 'Down for maintenance', mode: 'full', rowsSeen: 100 });
  expect((await vendors(site)).length).toBe(300);
  site.system.faults.read.length = 0;
  const calls = site.system.calls();
  expect(await sync(site, 'full')).toMatchObject({ error: null, mode: null });
  expect(site.system.calls() - calls).toBe(2);
  expect((await vendors(site)).length).toBe(298);
});

test('a reference that could not be resolved is, as soon as its target arrives; a new label reaches those that point to it', async () => {
  const site = await world.site();
  site.system.put(vendor('A', { currency: '7' }));
  await sync(site, 'full');
  expect(await vendors(site)).toMatchObject([{ currency: null }]);
  site.system.put({ id: 7, kind: 'currency', name: 'Euro' });
  await sync(site, 'incremental');
  await expect.poll(() => currencies(site)).toMatchObject([{ _displayValue: 'Euro', _idValue: '7' }]);
  site.system.put({ id: 7, name: 'EUR' });
  await sync(site, 'incremental');
  await expect.poll(() => currencies(site)).toMatchObject([{ _displayValue: 'EUR' }]);
});

test('so it is with the references within lines', async () => {
  const site = await world.site();
  const shown = async () => {
    const { docs } = await page(site.scope, entities.JournalEntry, { conditions: [], sort: [], limit: 1 });
    return JSON.parse(docs).lines;
  };
  site.system.put({ kind: 'entry', name: 'Rent', lines: [{ amount: 5, currency: 'EUR' }, { amount: 7 }] });
  await sync(site, 'full');
  expect(await shown()).toEqual([
    { debit: 5, currency: null },
    { debit: 7, currency: null },
  ]);
  const { id } = site.system.put({ kind: 'currency', code: 'EUR', name: 'Euro' });
  await sync(site, 'incremental');
  await expect.poll(shown).toMatchObject([{ currency: { _displayValue: 'Euro', _idValue: `${id}` } }, {}]);
  site.system.put({ id, name: 'euro' });
  await sync(site, 'incremental');
  await expect.poll(shown).toMatchObject([{ currency: { _displayValue: 'euro' } }, { currency: null }]);
});

test('a row that stops being of an entity leaves it', async () => {
  const site = await world.site();
  const { id } = site.system.put(vendor('A'));
  await sync(site, 'full');
  site.system.put({ id, kind: 'retired' });
  await sync(site, 'incremental');
  expect(await names(site)).toEqual([]);
  expect(await rawStreams(site.scope)).toEqual([{ stream: 'rows', rows: 1 }]);
});

test('a page that was asked for before a write does not undo it', async () => {
  const site = await world.site();
  for (let n = 0; n < 50; n += 1) site.system.put(vendor(`V${n}`, { terms: 'old' }));
  await sync(site, 'full');
  for (const row of site.system.rows.values()) site.system.put({ id: row.id, notes: 'touched' });
  const [target, doomed] = await vendors(site);
  // The page is made, and on its way, while the writes happen.
  const held = site.system.holdNextPage();
  const syncing = sync(site, 'full');
  await held.made;
  await site.write({ op: 'update', targetId: String(target?.id), input: { terms: 'new' } });
  await site.write({ op: 'delete', targetId: String(doomed?.id) });
  held.letGo();
  await syncing;
  const after = await vendors(site);
  expect(after).toHaveLength(49);
  expect(after.find(({ id }) => id === target?.id)).toMatchObject({ terms: 'new', notes: 'touched' });
  expect(after.filter(({ notes }) => notes === 'touched')).toHaveLength(49);
});

test('a run that was killed goes on where it was, and finds what is gone', { timeout: 60_000 }, async () => {
  await worker.stop();
  const site = await world.site();
  for (let n = 0; n < 1_000; n += 1) site.system.put(vendor(`V${n}`));
  site.system.slowReads = 30;
  const seen = async () => (await status(site))?.rowsSeen ?? 0;
  for (const rows of [100, 300, 600]) {
    const child = await startWorkerProcess(world, 1);
    await expect.poll(seen, { interval: 5 }).toBeGreaterThanOrEqual(rows);
    await child.kill();
  }
  const before = await seen();
  const calls = site.system.calls();
  const last = await startWorkerProcess(world, 1);
  await expect.poll(async () => (await status(site))?.lastSuccessAt ?? null).not.toBeNull();
  await last.kill();
  expect(await status(site)).toMatchObject({ rowsSeen: 1_000, error: null });
  expect(site.system.calls() - calls).toBe((1_000 - before) / 100);
  const { total } = await page(site.scope, entities.Vendor, { conditions: [], sort: [], limit: 1, withTotal: true });
  expect(total).toBe(1_000);
});
