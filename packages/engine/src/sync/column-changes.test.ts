import { expect, test } from 'vitest';
import { columnChanges, keptChanges, lostColumns, lostMessage, newChanges } from './column-changes.ts';

const AT = '2026-11-20T09:30:00Z';
const mappings = [
  {
    entity: 'Vendor',
    paths: [
      { field: 'name', path: 'name' },
      { field: 'city', path: 'address.city' },
    ],
  },
  { entity: 'Customer', paths: [{ field: 'name', path: 'name' }] },
];
const before = { id: 'int', name: 'text', address: 'json', old: 'text' };
const changes = (after: Readonly<Record<string, string>>) => columnChanges(before, after, mappings, AT);

test('a column that appears, disappears or gets another type is a change, with the fields that read it', () => {
  expect(changes({ id: 'bigint', name: 'text', address: 'json', fresh: 'date' })).toEqual([
    { column: 'fresh', change: 'added', from: null, to: 'date', noticedAt: AT, fields: [] },
    { column: 'id', change: 'retyped', from: 'int', to: 'bigint', noticedAt: AT, fields: [] },
    { column: 'old', change: 'removed', from: 'text', to: null, noticedAt: AT, fields: [] },
  ]);
  expect(changes(before)).toEqual([]);
});

test('only a column that a mapping reads is lost, and the message names all fields', () => {
  const lost = lostColumns(changes({ id: 'int' }));
  expect(lost.map(({ column, fields }) => [column, fields])).toEqual([
    ['address', ['Vendor.city']],
    ['name', ['Vendor.name', 'Customer.name']],
  ]);
  expect(lostMessage('partner', lost)).toContain('"name", which is read for Vendor.name, Customer.name');
});

test('a column that is still missing is listed once, with the time when it was noticed first', () => {
  const first = changes({ id: 'int', name: 'text', address: 'json' });
  const later = first.map((each) => ({ ...each, noticedAt: '2026-11-21T09:30:00Z' }));
  expect(newChanges(first, later)).toEqual([]);
  const fresh = newChanges(first, changes({ ...before, fresh: 'date' }));
  const now = { id: 'int', name: 'text', address: 'json', fresh: 'date' };
  expect(keptChanges(first, fresh, now).map(({ column }) => column)).toEqual(['fresh', 'old']);
});

test('changes that were undone are not kept', () => {
  const renamed = { id: 'int', title: 'text', address: 'json', old: 'text' };
  const first = changes(renamed);
  const back = columnChanges(renamed, before, mappings, AT);
  expect(keptChanges(first, back, before)).toEqual([]);
  expect(keptChanges(first, back.slice(0, 1), { ...before, title: 'date' }).map(({ column }) => column)).toContain(
    'title',
  );
});
