import { entities } from '@unified/contract';
import { expect, test } from 'vitest';
import { compileMapping } from './compile.ts';
import type { MappingDefinition } from './definition.ts';
import { differingParts } from './mapping-parts.ts';

const vendor: MappingDefinition = {
  entity: 'Vendor',
  stream: 'party',
  where: { path: 'kind', equals: 'vendor' },
  updated: { datetime: 'changed' },
  fields: {
    code: 'no',
    name: 'title',
    isActive: { boolean: { from: 'active', true: ['Y'], false: ['N'] } },
    currency: { ref: { entity: 'Currency', by: '_idValue', value: 'money' } },
  },
};

const compiled = (change: Partial<MappingDefinition> = {}, keys: readonly string[] = []) =>
  compileMapping({ ...vendor, ...change }, { file: 'v', entity: entities.Vendor, singleKeys: new Set(keys) });

const fields = (change: MappingDefinition['fields']) => ({ fields: { ...vendor.fields, ...change } });

test.each<[title: string, change: Partial<MappingDefinition>, parts: readonly string[] | null]>([
  ['nothing', {}, []],
  ['the writes', { writes: ['create'] }, []],
  ['a field', fields({ isActive: { const: true } }), ['isActive']],
  ['the name, from which the label is derived', fields({ name: { text: 'title' } }), ['name', 'code']],
  ['an added field', fields({ terms: 'terms' }), ['terms']],
  ['the time of the last change', { updated: { datetime: 'saved' } }, ['_updatedAt']],
  ['an added label', { display: 'title' }, ['_displayValue', 'name', 'code']],
  ['the condition', { where: { path: 'kind', equals: 'v' } }, []],
  ['the stream', { stream: 'supplier' }, null],
  ['the custom fields', { customFields: { include: ['shelf'] } }, null],
])('two mappings that differ in %s', (_, change, parts) => {
  const differing = differingParts(compiled(), compiled(change));
  expect(differing && [...differing]).toEqual(parts);
});

test('custom fields may be any column that no word reads, so whole records are compared', () => {
  const all = { customFields: 'all' as const };
  expect(differingParts(compiled(all), compiled({ ...all, ...fields({ name: 'no' }) }))).toBeNull();
});

test('a reference differs if the key of its target has more columns now', () => {
  expect([...(differingParts(compiled({}, ['Currency']), compiled()) ?? [])]).toEqual(['currency']);
});

test('some parts are read as in whole records', () => {
  const mapping = compiled();
  const read = mapping.parts.reading(new Set(['isActive', '_updatedAt']));
  const row = { kind: 'vendor', no: '7', title: 'ACME', active: 'Y', changed: 'never' };
  const problems: { field: string }[] = [];
  expect(read({ key: '1', row }, problems as never)?.values).toMatchObject({ isActive: true, _updatedAt: null });
  expect(problems.map(({ field }) => field)).toEqual(['_updatedAt']);
  expect(read({ key: '1', row: { ...row, kind: 'bank' } })).toBeNull();
});
