import { decimals, type ScalarType, scalar, wholeNumbers } from '../../scalar-type.ts';

const NAMED: ReadonlyMap<string, ScalarType> = new Map([
  ['tinyint', { type: 'number', limits: { minimum: -128, maximum: 127, decimals: 0 } }],
  ['smallint', wholeNumbers(2)],
  ['mediumint', { type: 'number', limits: { minimum: -(2 ** 23), maximum: 2 ** 23 - 1, decimals: 0 } }],
  ['int', wholeNumbers(4)],
  ['bigint', wholeNumbers(8)],
  ['float', scalar('number')],
  ['double', scalar('number')],
  ['year', scalar('number')],
  ['bit', scalar('number')],
  ['date', scalar('date')],
  ['datetime', scalar('dateTime')],
  ['timestamp', scalar('dateTime')],
]);

/** Documents, bytes and geometries. */
const NO_SCALAR = /^(?:json|.*blob|.*binary|geometry|point|linestring|polygon|multi.*|geometrycollection|vector)$/;

/**
 * Type and limits of the values of a column, by its `COLUMN_TYPE`, such as `decimal(9,2)`; undefined if they are not scalars.
 * The values of all types that are not listed here, such as `enum` and `time`, are strings.
 */
export function mysqlScalar(type: string): ScalarType | undefined {
  const [, name = '', parameters = ''] = /^(\w+)(?:\(([^)]*)\))?/.exec(type) ?? [];
  if (NO_SCALAR.test(name)) return undefined;
  if (name === 'decimal') {
    const [precision = 10, scale = 0] = parameters.split(',').map(Number);
    return decimals(precision, scale);
  }
  if (name === 'char' || name === 'varchar') return { type: 'string', limits: { maxLength: Number(parameters) } };
  if (/\bunsigned\b/.test(type) && /int$/.test(name)) return { type: 'number', limits: { minimum: 0, decimals: 0 } };
  return NAMED.get(name) ?? scalar('string');
}
