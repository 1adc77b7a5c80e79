import { type ScalarType, scalar, wholeNumbers } from '../scalar-type.ts';
import type { FieldSchema } from './schemas.ts';

const NAMED: ReadonlyMap<string, ScalarType> = new Map([
  ['integer', wholeNumbers(4)],
  ['biginteger', wholeNumbers(8)],
  ['float', scalar('number')],
  ['numeric', scalar('number')],
  ['many2one', scalar('number')],
  ['one2one', scalar('number')],
  ['boolean', scalar('boolean')],
  ['date', scalar('date')],
  ['datetime', scalar('dateTime')],
  ['timestamp', scalar('dateTime')],
]);

const NO_SCALARS: ReadonlySet<string> = new Set([
  ...['one2many', 'many2many', 'dict', 'binary', 'multiselection', 'timedelta'],
]);

/**
 * Type and limits of the values of a field; undefined for lists, dictionaries and bytes. The values of all types that are not
 * listed here, such as `selection` and `reference`, are strings.
 */
export function trytonScalar({ type }: Pick<FieldSchema, 'type'>): ScalarType | undefined {
  return NO_SCALARS.has(type) ? undefined : (NAMED.get(type) ?? scalar('string'));
}
