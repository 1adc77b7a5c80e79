import { expect, test } from 'vitest';
import { postgresScalar } from './postgres-scalar.ts';

test.each([
  ['text', 'string', {}],
  ['character varying(20)', 'string', { maxLength: 20 }],
  ['character(3)', 'string', { maxLength: 3 }],
  ['uuid', 'string', {}],
  ['interval', 'string', {}],
  ['smallint', 'number', { minimum: -32768, maximum: 32767, decimals: 0 }],
  ['integer', 'number', { minimum: -2147483648, maximum: 2147483647, decimals: 0 }],
  ['bigint', 'number', { minimum: -9007199254740991, maximum: 9007199254740991, decimals: 0 }],
  ['numeric', 'number', {}],
  ['numeric(6,2)', 'number', { minimum: -9999.99, maximum: 9999.99, decimals: 2 }],
  ['numeric(2,2)', 'number', { minimum: -0.99, maximum: 0.99, decimals: 2 }],
  ['numeric(4,0)', 'number', { minimum: -9999, maximum: 9999, decimals: 0 }],
  ['numeric(30,4)', 'number', { decimals: 4 }],
  ['numeric(3,-2)', 'number', {}],
  ['double precision', 'number', {}],
  ['boolean', 'boolean', {}],
  ['date', 'date', {}],
  ['timestamp(3) with time zone', 'dateTime', {}],
] as const)('values of a column of type %s are of type %s, limited to %j', (column, type, limits) => {
  expect(postgresScalar(column)).toEqual({ type, limits });
});

test.each(['text[]', 'json', 'jsonb', 'xml', 'bytea', 'int4range', 'datemultirange', 'tsvector', 'vector(3)'])(
  'values of a column of type %s are not scalars',
  (column) => {
    expect(postgresScalar(column)).toBeUndefined();
  },
);
