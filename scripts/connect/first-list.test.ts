import type { CompiledMapping } from '@unified/connectors';
import { expect, it } from 'vitest';
import { firstList } from './first-list.ts';

const mappings = (...names: string[]) => Object.fromEntries(names.map((name) => [name, {} as CompiledMapping]));
const checked = (entity: string, sample: string | null) => ({
  ...{ stream: entity, entities: [entity], columns: 1, sample, blocked: false },
});

it.each([
  { entities: ['Unit', 'Customer', 'Contact'], rows: [null, '1', '2'], path: '/v4/customers' },
  { entities: ['Unit', 'Vendor'], rows: ['0', '1'], path: '/v4/vendors' },
  { entities: ['Unit', 'Vendor'], rows: ['0', null], path: '/v4/units' },
  { entities: ['Customer', 'Contact'], rows: [null, null], path: '/v4/customers' },
])('names a list of $entities with rows', ({ entities, rows, path }) => {
  const streams = entities.map((entity, index) => checked(entity, rows[index] ?? null));
  expect(firstList({ mappings: mappings(...entities) }, { streams, problems: [] })).toBe(path);
});

it('names a list of the platform if the system was not checked', () => {
  expect(firstList({ mappings: mappings('Site', 'Item') }, undefined)).toBe('/v4/sites');
});
