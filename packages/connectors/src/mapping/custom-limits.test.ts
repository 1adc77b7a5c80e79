import { expect, test } from 'vitest';
import { faultOf, type LimitedField, limitsOf } from './custom-limits.ts';

test.each([
  ['string', 'text', {}],
  ['string', 'character varying(20)', { maxLength: 20 }],
  ['string', 'character(3)', { maxLength: 3 }],
  ['string', 'uuid', {}],
  ['number', 'smallint', { minimum: -32768, maximum: 32767, decimals: 0 }],
  ['number', 'integer', { minimum: -2147483648, maximum: 2147483647, decimals: 0 }],
  ['number', 'bigint', { minimum: -9007199254740991, maximum: 9007199254740991, decimals: 0 }],
  ['number', 'numeric', {}],
  ['number', 'numeric(6,2)', { minimum: -9999.99, maximum: 9999.99, decimals: 2 }],
  ['number', 'numeric(2,2)', { minimum: -0.99, maximum: 0.99, decimals: 2 }],
  ['number', 'numeric(4,0)', { minimum: -9999, maximum: 9999, decimals: 0 }],
  ['number', 'numeric(30,4)', { decimals: 4 }],
  ['number', 'double precision', {}],
  ['boolean', 'boolean', {}],
] as const)('values of a %s in a column of type %s are limited to %j', (type, column, limits) => {
  expect(limitsOf(type, column)).toEqual(limits);
});

const field = (type: LimitedField['type'], limits: LimitedField['limits'] = {}, isRequired = false) => ({
  ...{ type, limits, isRequired },
});

test.each([
  [field('string'), ['', ' a ', 'x'.repeat(5000), null], [1, true, [], {}]],
  [field('string', { maxLength: 2 }), ['ab', '😀😀'], ['abc', '😀😀😀']],
  [field('string', {}, true), ['a'], [null]],
  [field('number'), [0, -1.5, 1e300], ['1', Number.NaN.toString(), true]],
  [field('number', { minimum: -9.9, maximum: 9.9, decimals: 1 }), [9.9, -9.9, 1], [10, -10, 1.25, 1e-7]],
  [field('number', { decimals: 0 }), [1e21, 3], [1.5]],
  [field('boolean'), [true, false, null], ['true', 0, 1]],
  [field('date'), ['2028-02-29'], ['2026-02-29', '2026-2-1', '2026-11-20T00:00:00Z', '', 20261120]],
  [
    field('dateTime'),
    ['2026-11-20T10:00:00Z', '2026-11-20T10:00:00.123456+02:00'],
    ['2026-11-20T10:00:00', '2026-11-20', '', 'now', '0001-01-01T00:00:00+14:00'],
  ],
])('%j takes %j, but not %j', (limited, valid, invalid) => {
  for (const value of valid) expect([value, faultOf(limited, value)]).toEqual([value, null]);
  for (const value of invalid) expect([value, faultOf(limited, value)]).toEqual([value, expect.stringMatching(/\.$/)]);
});
