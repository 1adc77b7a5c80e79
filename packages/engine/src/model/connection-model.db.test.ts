import type { MappingChange } from '@unified/connectors';
import { type Entity, entities } from '@unified/contract';
import { activateRevision, addRevision, deactivateConnection, newestRevision, page, type Scope } from '@unified/store';
import { afterAll, expect, test } from 'vitest';
import { faultySystems, platform } from '../../test/faulty-platform.ts';
import { log, startHarness } from '../../test/harness.ts';
import { createEngine } from '../index.ts';
import { activeModel } from './active-model.ts';

const systems = faultySystems;

const harness = await startHarness();
const engine = createEngine({ store: harness.store, databaseUrl: harness.databaseUrl, log, systems });
afterAll(() => engine.close());

async function namesOf(scope: Scope, entity: Entity): Promise<string[]> {
  const { docs } = await page(scope, entity, { conditions: [], sort: [], limit: 10 });
  const records: { name: string }[] = JSON.parse(`[${docs}]`);
  return records.map(({ name }) => name).toSorted();
}

/**
 * Two connections to the same system. The second one does not read currencies or write vendors, and reads vendor names with a
 * prefix.
 */
async function connections() {
  const system = await harness.system();
  const [first, second] = [await harness.site(system), await harness.site(system)];
  const name = { concat: { parts: [{ const: 'Firm' }, 'name'], separator: ' ' } };
  await revise(second.scope, 'Vendor', { fields: { name } });
  await revise(second.scope, 'Currency', { fields: {}, parts: { where: { path: 'kind', equals: 'none' } } });
  return { system, first, second };
}

async function revise(scope: Scope, entity: string, change: MappingChange): Promise<void> {
  const base = await newestRevision(scope, entity);
  await addRevision(scope, { entity, change, note: null, createdBy: null }, base);
  await activateRevision(scope, entity, base + 1);
}

test('connections of one platform derive records by their own models, in one process', async () => {
  await harness.worker({ syncs: 2, systems });
  const { system, first, second } = await connections();
  system.put({ kind: 'vendor', name: 'Smith' });
  system.put({ kind: 'currency', name: 'Euro' });
  await Promise.all([first.sync('full'), second.sync('full')]);
  expect(await namesOf(first.scope, entities.Vendor)).toEqual(['Smith']);
  expect(await namesOf(second.scope, entities.Vendor)).toEqual(['Firm Smith']);
  expect(await namesOf(first.scope, entities.Currency)).toEqual(['Euro']);
  expect(await namesOf(second.scope, entities.Currency)).toEqual([]);
});

test('the capabilities of a connection are those of its model', async () => {
  const { first, second } = await connections();
  const vendor = async (scope: Scope) => (await engine.capabilities(scope)).find(({ entity }) => entity === 'Vendor');
  expect((await vendor(first.scope))?.operations).toContain('create');
  expect((await vendor(second.scope))?.operations).toEqual(['list', 'get']);
  const request = { operation: 'createVendor', op: 'create', entity: 'Vendor', input: { name: 'Jones' } } as const;
  await expect(engine.submitWrite(first.scope, request)).resolves.toMatchObject({ replayed: false });
  await expect(engine.submitWrite(second.scope, request)).rejects.toMatchObject({ code: 'SERVICE_NOT_SUPPORTED' });
});

test('the platform of a scope is not read again', async () => {
  const { store } = harness;
  const { scope } = await harness.site();
  await deactivateConnection(store, scope.connectionId);
  const known = store.scope({ ...scope, platform: platform.id, mappingVersion: 0 });
  await expect(activeModel({ store, systems }, known)).resolves.toMatchObject({ revisions: {} });
  await expect(activeModel({ store, systems }, scope)).rejects.toMatchObject({ code: 'SERVICE_CONNECTION_INACTIVE' });
});
