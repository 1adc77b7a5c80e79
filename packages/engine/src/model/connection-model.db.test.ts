import { type Entity, entities } from '@unified/contract';
import { deactivateConnection, page, type Scope } from '@unified/store';
import { afterAll, expect, test } from 'vitest';
import { faultySystems, platform } from '../../test/faulty-platform.ts';
import { log, startHarness } from '../../test/harness.ts';
import { createEngine } from '../index.ts';
import { activeModel } from './active-model.ts';
import { type ConnectionModel, modelOfPlatform } from './connection-model.ts';
import type { Systems } from './systems.ts';

const own = modelOfPlatform(platform);
const { Vendor, Currency } = platform.mappings;
if (!Vendor || !Currency) throw new Error('The platform maps vendors and currencies.');

/** Revision 7 has no currencies and does not write vendors, whose names it reads in capitals. */
const revised: ConnectionModel = {
  ...own,
  revision: 7,
  mappings: {
    Vendor: {
      ...Vendor,
      hash: '7',
      writes: new Set(),
      read(row) {
        const record = Vendor.read(row);
        return record && { ...record, values: { ...record.values, name: String(row.row.name).toUpperCase() } };
      },
    },
  },
};

const models = new Map<string, ConnectionModel>();
const systems: Systems = { ...faultySystems, modelOf: async ({ id }) => models.get(id) ?? own };

const harness = await startHarness();
const engine = createEngine({ store: harness.store, databaseUrl: harness.databaseUrl, log, systems });
afterAll(() => engine.close());

async function namesOf(scope: Scope, entity: Entity): Promise<string[]> {
  const { docs } = await page(scope, entity, { conditions: [], sort: [], limit: 10 });
  const records: { name: string }[] = JSON.parse(`[${docs}]`);
  return records.map(({ name }) => name).toSorted();
}

/** Two connections to one system, the second with the revised model. */
async function connections() {
  const system = await harness.system();
  const [first, second] = [await harness.site(system), await harness.site(system)];
  models.set(second.connectionId, revised);
  return { system, first, second };
}

test('connections of one platform derive records by their own models, in one process', async () => {
  await harness.worker({ syncs: 2, systems });
  const { system, first, second } = await connections();
  system.put({ kind: 'vendor', name: 'Smith' });
  system.put({ kind: 'currency', name: 'Euro' });
  await Promise.all([first.sync('full'), second.sync('full')]);
  expect(await namesOf(first.scope, entities.Vendor)).toEqual(['Smith']);
  expect(await namesOf(second.scope, entities.Vendor)).toEqual(['SMITH']);
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
  const known = store.scope({ ...scope, platform: platform.id });
  await expect(activeModel({ store, systems }, known)).resolves.toMatchObject({ revision: 0 });
  await expect(activeModel({ store, systems }, scope)).rejects.toMatchObject({ code: 'SERVICE_CONNECTION_INACTIVE' });
});
