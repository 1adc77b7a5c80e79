import { expect, test } from 'vitest';
import { trytonScalar } from './tryton-scalar.ts';

test.each([
  ['char', { type: 'string', limits: {} }],
  ['selection', { type: 'string', limits: {} }],
  ['integer', { type: 'number', limits: { minimum: -2147483648, maximum: 2147483647, decimals: 0 } }],
  ['numeric', { type: 'number', limits: {} }],
  ['many2one', { type: 'number', limits: {} }],
  ['boolean', { type: 'boolean', limits: {} }],
  ['date', { type: 'date', limits: {} }],
  ['timestamp', { type: 'dateTime', limits: {} }],
  ...['one2many', 'dict', 'binary', 'multiselection', 'timedelta'].map((type) => [type, undefined] as const),
] as const)('values of a field of type %s are %j', (type, scalar) => {
  expect(trytonScalar({ type })).toEqual(scalar);
});
