import { describe, expect, it } from 'vitest';
import { filterQuery } from './filter-query.ts';

describe('a filter', () => {
  it.each([
    [{ name: 'ACME' }, { name: 'ACME' }],
    [{ name: { eq: 'ACME', contains: '%' } }, { 'name:eq': 'ACME', 'name:contains': '%' }],
    [{ name: '' }, { name: '' }],
    [
      JSON.parse('{"__proto__":"x","vendor":{"__proto__":"y"}}'),
      JSON.parse('{"__proto__":"x","vendor.__proto__":"y"}'),
    ],
    [
      { total: 0, open: false },
      { total: '0', open: 'false' },
    ],
    [
      { description: null, email: { neq: null } },
      { description: 'null', 'email:neq': 'null' },
    ],
    [
      { code: { in: ['a', 'b c', 'null'] }, level: { in: [1, 2] } },
      { 'code:in': 'a,b c,null', 'level:in': '1,2' },
    ],
    [
      { dueAt: new Date(0), sentAt: { lt: new Date(0) } },
      { dueAt: '1970-01-01T00:00:00.000Z', 'sentAt:lt': '1970-01-01T00:00:00.000Z' },
    ],
    [
      { vendor: { neq: 'an id', code: 'V-1', name: { contains: 'acme', startsWith: undefined }, _idValue: undefined } },
      { 'vendor:neq': 'an id', 'vendor.code': 'V-1', 'vendor.name:contains': 'acme' },
    ],
    [{ name: undefined, code: { eq: undefined } }, {}],
    [
      { customFields: { color: 'red', 'Größe (mm)': { gt: 5, lt: 9 }, old: null, gone: undefined } },
      {
        'customFields.color': 'red',
        'customFields.Größe (mm):gt': '5',
        'customFields.Größe (mm):lt': '9',
        'customFields.old': 'null',
      },
    ],
  ])('%j is %j', (filter, query) => {
    expect(filterQuery(filter)).toEqual(query);
  });

  it.each([
    [{ code: { in: ['a', 'b,c'] } }, 'code:in cannot contain "b,c"'],
    [{ code: { in: [] } }, 'code:in needs at least one value'],
    [{ code: { in: [null] } }, 'code:in needs a value'],
    [{ code: { gt: null } }, 'code:gt needs a value'],
    [{ name: 'null' }, 'the text "null" would mean no value'],
    [{ name: { neq: 'null' } }, 'the text "null" would mean no value'],
  ])('%j cannot be expressed', (filter, message) => {
    expect(() => filterQuery(filter)).toThrow(new RegExp(message));
  });
});
