import { entities } from '@unified/contract';
import { page, rawRows, type Scope, saveRawRows, saveRecords, saveSyncState } from '@unified/store';
import { expect, test } from 'vitest';
import { faultySystems, stream } from '../../test/faulty-platform.ts';
import { origin, type Site, startHarness } from '../../test/harness.ts';
import { activeModel } from '../model/active-model.ts';
import { deriveRecords } from '../records/store-rows.ts';

const harness = await startHarness();
const { store, engine } = harness;

/** A connection with three copied vendors, which no sync reads again. */
async function copied(): Promise<Site> {
  const site = await harness.site();
  const rows = ['1', '2', '3'].map((id) => ({
    key: id,
    row: { id, kind: 'vendor', name: `V${id}`, terms: 'Net 30', code: id, currency: null, changed: 0 },
  }));
  await saveRawRows(site.scope, stream.name, rows);
  await saveSyncState(site.scope, stream.name, { nextRunAt: '2999-01-01T00:00:00Z', lastSuccessAt: 'now' });
  return site;
}

const mappingsOf = ({ applicationId }: Scope) => engine.mappingsOf(store.application(applicationId), origin);

/** Saves a revision that reads the names of vendors with a prefix. */
async function saved({ scope }: Site, prefix: string): Promise<number> {
  const name = { concat: { parts: [{ const: prefix }, 'name'], separator: ' ' } };
  return (await mappingsOf(scope).save(scope.connectionId, 'Vendor', { fields: { name } }, null)).revision;
}

const activate = ({ scope }: Site, revision: number) =>
  mappingsOf(scope).activate(scope.connectionId, 'Vendor', revision);

async function derived({ scope }: Site): Promise<void> {
  const state = async () => (await mappingsOf(scope).active(scope.connectionId, 'Vendor')).derivation?.state;
  await expect.poll(state, { timeout: 60_000 }).toBe('completed');
}

async function namesOf({ scope }: Site): Promise<string[]> {
  const { docs } = await page(scope, entities.Vendor, { conditions: [], sort: [], limit: 10 });
  return [...docs].map((doc) => String(JSON.parse(doc).name)).sort();
}

/** Stores the records of these vendors as the active mappings derive them, as a write does that reads its row again. */
async function storedByWrite({ scope }: Site, keys: readonly string[]): Promise<void> {
  const model = await activeModel({ store, systems: faultySystems }, scope);
  await deriveRecords(scope, model, stream, await rawRows(scope, stream.name, keys));
}

test('records that a write stored by a mapping between two derivations do not hide the others', async () => {
  const site = await copied();
  const [a, b, same] = [await saved(site, 'A'), await saved(site, 'B'), await saved(site, 'B')];
  const worker = await harness.worker({ syncs: 1 });
  await activate(site, a);
  await derived(site);
  await worker.stop();
  await activate(site, b);
  await storedByWrite(site, ['1', '2']);
  expect(await namesOf(site)).toEqual(['A V3', 'B V1', 'B V2']);
  await activate(site, same);
  await harness.worker({ syncs: 1 });
  await derived(site);
  expect(await namesOf(site)).toEqual(['B V1', 'B V2', 'B V3']);
});

test('records that are the same by both mappings are not touched', async () => {
  const site = await copied();
  await harness.worker({ syncs: 1 });
  await activate(site, await saved(site, 'A'));
  await derived(site);
  const untouched = { _source: stream.name, _idValue: '3', values: { name: 'Untouched' }, references: {} };
  await saveRecords(site.scope, entities.Vendor, [untouched]);
  const { fields } = await mappingsOf(site.scope).active(site.connectionId, 'Vendor');
  const name = { coalesce: [{ lookup: { from: 'id', table: { 2: 'C' }, otherwise: null } }, fields.name] };
  const mapping = { fields: { ...fields, name }, activate: true };
  await mappingsOf(site.scope).save(site.connectionId, 'Vendor', mapping, null);
  await derived(site);
  expect(await namesOf(site)).toEqual(['A V1', 'C', 'Untouched']);
});
