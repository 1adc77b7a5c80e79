import { expect, it } from 'vitest';
import type { ReadField } from '../../contract/entity-facts.ts';
import { defaultColumns } from './default-columns.ts';

const field = (name: string, kind = 'text'): ReadField => ({
  ...{ name, kind, nullable: true, description: '' },
  ...{ operators: [], sortable: true },
});

it('begins with what identifies a record, and leaves out what the system has no values for', () => {
  const fields = ['total', 'name', 'rating', 'code', 'notes'].map((name) => field(name));
  expect(defaultColumns(fields, ['total', 'name', 'code', 'notes'])).toEqual(['code', 'name', 'total']);
});

it('begins with the label if nothing else identifies a record', () => {
  expect(defaultColumns([field('rate', 'number')], ['rate'])).toEqual(['_displayValue', 'rate']);
});

it('leaves out objects', () => {
  expect(defaultColumns([field('code'), field('geo', 'object')], ['code', 'geo'])).toEqual(['code']);
});
