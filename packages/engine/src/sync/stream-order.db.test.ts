import {
  type CompiledMapping,
  compileMapping,
  type Driver,
  type Platform,
  platformOf,
  type Row,
} from '@unified/connectors';
import { entities } from '@unified/contract';
import { addSandboxPlatform } from '@unified/sandbox';
import { changesAfter, page } from '@unified/store';
import { expect, test, vi } from 'vitest';
import { platform as faulty } from '../../test/faulty-platform.ts';
import { startHarness } from '../../test/harness.ts';
import { syncEnd } from '../../test/sync-end.ts';
import { modelOfPlatform } from '../model/connection-model.ts';
import { streamsByRelation } from './stream-order.ts';

// Starts a database, which is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });
addSandboxPlatform();

const to = (entity: string, value: string) => ({ ref: { entity, by: '_idValue', value } }) as const;

const definitions = [
  {
    entity: 'PurchaseOrder',
    stream: 'orders',
    fields: {
      vendor: to('Vendor', 'vendor'),
      lines: { refs: { entity: 'PurchaseOrderLine', by: '_idValue', each: 'lines' } },
    },
  },
  { entity: 'PurchaseOrderLine', stream: 'lines', fields: { purchaseOrder: to('PurchaseOrder', 'order') } },
  { entity: 'Vendor', stream: 'vendors', fields: { name: 'id', currency: to('Currency', 'currency') } },
  { entity: 'Currency', stream: 'currencies', fields: { code: 'id', name: 'id' } },
] as const;

/**
 * Rows by stream. The platform lists the streams in this order, in which every target comes after the records that point to it.
 */
const tables: Readonly<Record<string, readonly Row[]>> = {
  lines: [{ id: 'l', order: 'o' }],
  orders: [{ id: 'o', vendor: 'v', lines: ['l'] }],
  vendors: [{ id: 'v', currency: 'EUR' }],
  currencies: [{ id: 'EUR' }],
};

/** How often the row of each record was mapped, by entity. */
const derived: Record<string, number> = {};

function counted(mapping: CompiledMapping): CompiledMapping {
  const read: CompiledMapping['read'] = (...given) => {
    derived[mapping.entity] = (derived[mapping.entity] ?? 0) + 1;
    return mapping.read(...given);
  };
  return { ...mapping, read };
}

const platform: Platform = {
  ...faulty,
  id: 'ordered',
  streams: Object.keys(tables).map((name, order) => ({
    ...{ name, key: ['id'], order, deletes: 'none' as const, pageSize: 100, options: {} },
  })),
  mappings: Object.fromEntries(
    definitions.map((definition) => {
      const about = { file: definition.entity, entity: entities[definition.entity] };
      return [definition.entity, counted(compileMapping(definition, about))];
    }),
  ),
};

const driver: Driver = {
  check: async () => {},
  pull: async ({ stream }) => ({
    rows: (tables[stream.name] ?? []).map((row) => ({ key: String(row.id), row })),
    next: null,
  }),
  read: async () => null,
  close: async () => {},
};

test('a first sync derives no record twice, except those that lists keep in a cycle', async () => {
  const harness = await startHarness();
  const scope = await harness.connect(platform.id, {});
  await harness.worker({ syncs: 1, systems: { platformOf: () => platform, openDriver: () => driver } });
  const orders = () => page(scope, entities.PurchaseOrder, { conditions: [], sort: [], limit: 1 });
  await expect
    .poll(async () => JSON.parse(`[${(await orders()).docs}]`)[0]?.lines, { timeout: 60_000 })
    .toHaveLength(1);
  await syncEnd(harness.databaseUrl, scope.connectionId, 60_000);
  expect(derived).toEqual({ Currency: 1, Vendor: 1, PurchaseOrder: 2, PurchaseOrderLine: 1 });
  const { changes } = await changesAfter(scope, '0', 100);
  expect(changes.map(({ entity, kind }) => `${entity} ${kind}`)).toEqual([
    'Currency created',
    'Vendor created',
    'PurchaseOrder created',
    'PurchaseOrderLine created',
    'PurchaseOrder updated',
  ]);
});

test.each(['sandbox', 'tryton', 'redmine', 'request-tracker', 'gnucash'])(
  '%s: a target comes later only in a cycle',
  (id) => {
    const model = modelOfPlatform(platformOf(id));
    const order = streamsByRelation(model, entities).map(({ name }) => name);
    expect(order.toSorted()).toEqual(model.platform.streams.map(({ name }) => name).sort());
    const targets = new Map(order.map((name) => [name, new Set<string>()]));
    for (const { stream, references } of Object.values(model.mappings)) {
      for (const { entity } of references) targets.get(stream)?.add(model.mappings[entity]?.stream ?? stream);
    }
    const reachable = (from: string, seen = new Set<string>()): Set<string> => {
      for (const next of targets.get(from) ?? []) if (!seen.has(next)) reachable(next, seen.add(next));
      return seen;
    };
    const tooLate = order.flatMap((name, place) =>
      [...(targets.get(name) ?? [])].filter((target) => order.indexOf(target) > place && !reachable(target).has(name)),
    );
    expect(tooLate).toEqual([]);
  },
);
