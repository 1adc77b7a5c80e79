import { decimals, type ScalarType, scalar, wholeNumbers } from '../../scalar-type.ts';

const NAMED: ReadonlyMap<string, ScalarType> = new Map([
  ['smallint', wholeNumbers(2)],
  ['integer', wholeNumbers(4)],
  ['bigint', wholeNumbers(8)],
  ['real', scalar('number')],
  ['double precision', scalar('number')],
  ['boolean', scalar('boolean')],
  ['date', scalar('date')],
]);

/** Arrays, documents, bytes, ranges and vectors. */
const NO_SCALAR = /\[\]$|^(?:jsonb?|xml|bytea)$|range$|vector/;

/**
 * Type and limits of the values of a column, by its type as `format_type` spells it, such as `numeric(9,2)`; undefined if they
 * are not scalars. The values of all types that are not listed here, such as `uuid` and enums, are strings.
 */
export function postgresScalar(type: string): ScalarType | undefined {
  if (NO_SCALAR.test(type)) return undefined;
  if (/^timestamp\b/.test(type)) return scalar('dateTime');
  const length = /^character(?: varying)?\((\d+)\)$/.exec(type)?.[1];
  if (length !== undefined) return { type: 'string', limits: { maxLength: Number(length) } };
  const [, precision, scale] = /^numeric\((\d+),(\d+)\)$/.exec(type) ?? [];
  if (precision !== undefined) return decimals(Number(precision), Number(scale));
  return NAMED.get(type) ?? scalar(/^numeric\b/.test(type) ? 'number' : 'string');
}
