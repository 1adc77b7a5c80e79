import { setTimeout as pause } from 'node:timers/promises';
import { entities } from '@unified/contract';
import {
  deactivateConnection,
  derivedVersion,
  markConnectionDeleted,
  type PageQuery,
  type PageResult,
  page,
  replaceCustomStreams,
  type Scope,
  saveRawRows,
  saveSyncState,
} from '@unified/store';
import { expect, test, vi } from 'vitest';
import { origin, type Site, startHarness } from '../../test/harness.ts';
import { startWorkerProcess } from '../../test/worker-process.ts';

// Starts processes, which is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const ROWS = 4_000;
const KILLS = Number(process.env.KILLS ?? 6);
const PATIENCE = { timeout: 110_000 };

const harness = await startHarness();
const { store, engine } = harness;

/** A connection whose rows were copied, but whose records have not been derived yet. */
async function copied(rows = ROWS): Promise<Site> {
  const site = await harness.site();
  const vendors = Array.from({ length: rows }, (_, index) => {
    const id = String(index + 1);
    return {
      key: id,
      row: { id, kind: 'vendor', name: `V${id}`, terms: `T${id}`, code: id, currency: null, changed: 0 },
    };
  });
  for (let start = 0; start < rows; start += 1000)
    await saveRawRows(site.scope, 'rows', vendors.slice(start, start + 1000));
  await saveSyncState(site.scope, 'rows', { nextRunAt: '2999-01-01T00:00:00Z', lastSuccessAt: 'now' });
  return site;
}

const mappingsOf = ({ applicationId }: Scope) => engine.mappingsOf(store.application(applicationId), origin);

/** Saves a revision that reads the names of vendors with a prefix. */
async function saved({ scope }: Site, prefix: string, activate = false): Promise<number> {
  const name = { concat: { parts: [{ const: prefix }, 'name'], separator: ' ' } };
  const mapping = { fields: { name }, activate };
  return (await mappingsOf(scope).save(scope.connectionId, 'Vendor', mapping, null)).revision;
}

const activate = ({ scope }: Site, revision: number) =>
  mappingsOf(scope).activate(scope.connectionId, 'Vendor', revision);

/** The prefixes of the names of all vendors, without duplicates. */
async function prefixes({ scope }: Site): Promise<string[]> {
  const found = new Set<string>();
  let count = 0;
  for (let cursor: string | null = null; ; ) {
    const query: PageQuery = { conditions: [], sort: [], limit: 1000, ...(cursor !== null && { cursor }) };
    const { docs, nextCursor }: PageResult = await page(scope, entities.Vendor, query);
    for (const doc of docs) {
      count += 1;
      found.add(String(JSON.parse(doc).name).replace(/ ?V\d+$/, ''));
    }
    if (nextCursor === null) return count === ROWS ? [...found] : [...found, `${count} records`];
    cursor = nextCursor;
  }
}

async function derived({ scope }: Site): Promise<void> {
  const state = async () => (await mappingsOf(scope).active(scope.connectionId, 'Vendor')).derivation?.state;
  await expect.poll(state, PATIENCE).toBe('completed');
}

test('the records of a connection agree with its active revision, wherever workers are killed', {
  timeout: 900_000,
}, async () => {
  const site = await copied();
  const revisions = [0, await saved(site, 'A'), await saved(site, 'B')];
  const names = ['', 'A', 'B'];
  let active = 0;
  for (let round = 0; round < KILLS; round += 1) {
    active = (active + 1 + Math.floor(Math.random() * 2)) % revisions.length;
    await activate(site, revisions[active] ?? 0);
    const worker = await startWorkerProcess(harness, 1);
    await pause(Math.random() * 400);
    await worker.kill();
  }
  active = (active + 1) % revisions.length;
  await activate(site, revisions[active] ?? 0);
  const last = await harness.worker({ syncs: 1 });
  await derived(site);
  expect(await prefixes(site)).toEqual([names[active]]);
  await last.stop();
});

test('a derivation continues where it was interrupted, and shows its progress', async () => {
  const site = await copied();
  await saved(site, 'A', true);
  const first = await harness.worker({ syncs: 1 });
  const derivation = async () => (await mappingsOf(site.scope).active(site.connectionId, 'Vendor')).derivation;
  const rows = async () => (await derivation())?.rows ?? 0;
  await expect.poll(rows, { interval: 2, ...PATIENCE }).toBeGreaterThan(0);
  await first.stop();
  const isCompleted = (await derivation())?.state === 'completed';
  expect(await derivedVersion(store, site.connectionId)).toBe(isCompleted ? 1 : 0);
  await harness.worker({ syncs: 1 });
  await derived(site);
  expect(await prefixes(site)).toEqual(['A']);
  expect(site.system.calls()).toBe(0);
});

test('the second of two activations wins, and records stored by the first one do not remain', async () => {
  const site = await copied();
  const [a, b] = [await saved(site, 'A'), await saved(site, 'B')];
  await harness.worker({ syncs: 1 });
  await harness.worker({ syncs: 1 });
  for (const revision of [a, b, 0, a, b]) await activate(site, revision);
  await derived(site);
  expect(await prefixes(site)).toEqual(['B']);
});

test('a derivation stops if the connection is deactivated or deleted, and continues when it is active again', async () => {
  const [paused, deleted] = [await copied(), await copied()];
  for (const site of [paused, deleted]) await saved(site, 'A', true);
  await deactivateConnection(store, paused.connectionId);
  await markConnectionDeleted(store, deleted.connectionId);
  const other = await copied();
  await saved(other, 'A', true);
  await harness.worker({ syncs: 1 });
  await derived(other);
  for (const { connectionId } of [paused, deleted]) expect(await derivedVersion(store, connectionId)).toBe(0);
});

test('an entity that is read from another stream loses the records of the former one', async () => {
  const site = await copied(10);
  await harness.worker({ syncs: 1 });
  await saved(site, 'A', true);
  await derived(site);
  const none = { fields: {}, parts: { where: { path: 'kind', equals: 'none' } }, activate: true };
  await mappingsOf(site.scope).save(site.connectionId, 'Vendor', none, null);
  await derived(site);
  const { docs } = await page(site.scope, entities.Vendor, { conditions: [], sort: [], limit: 20 });
  expect(docs).toEqual([]);
});

test('custom streams need a protocol whose tables can be named', async () => {
  const site = await copied(1);
  await expect(
    mappingsOf(site.scope).replaceCustomStreams(site.connectionId, [{ name: 'x', key: ['id'] }]),
  ).rejects.toMatchObject({ code: 'SERVICE_INVALID_BODY' });
  expect(await replaceCustomStreams(site.scope, [])).toEqual([]);
});
