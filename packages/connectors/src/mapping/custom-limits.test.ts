import { expect, test } from 'vitest';
import { limitsOf } from './custom-limits.ts';

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
