import { expect, it } from 'vitest';
import { filterKey, sdkFilter, searchOfView, viewOfSearch } from './conditions-of-search.ts';

it('reads conditions in the form of the API, and ignores other parameters', () => {
  const search = { 'filter[name:contains]': 'acme', 'filter[isActive]': 'true', sort: '-code', panel: 'history' };
  expect(viewOfSearch(search)).toEqual({
    conditions: [
      { field: 'name', operator: 'contains', value: 'acme' },
      { field: 'isActive', operator: 'eq', value: 'true' },
    ],
    sort: '-code',
  });
});

it('writes the same address again', () => {
  const search = { 'filter[vendor.code]': 'V-1', 'filter[total:gte]': '100', sort: 'total' };
  expect(searchOfView(viewOfSearch(search))).toEqual(search);
});

it('leaves out the operator if values must be equal', () => {
  expect([filterKey('name', 'eq'), filterKey('name', 'neq')]).toEqual(['filter[name]', 'filter[name:neq]']);
});

it('combines the conditions of a field for the SDK', () => {
  const conditions = [
    { field: 'total', operator: 'gte', value: '1' },
    { field: 'total', operator: 'lt', value: '9' },
    { field: 'code', operator: 'in', value: 'A, B' },
    { field: 'description', operator: 'neq', value: 'null' },
  ];
  expect(sdkFilter(conditions)).toEqual({
    total: { gte: '1', lt: '9' },
    code: { in: ['A', 'B'] },
    description: { neq: null },
  });
});
