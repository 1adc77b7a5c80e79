import { type ScalarType, scalar, wholeNumbers } from '../scalar-type.ts';
import type { EdmProperty } from './metadata/metadata.ts';

const BYTE: ScalarType = { type: 'number', limits: { minimum: 0, maximum: 255, decimals: 0 } };

const NAMED: ReadonlyMap<string, ScalarType> = new Map([
  ['Edm.Boolean', scalar('boolean')],
  ['Edm.Byte', BYTE],
  ['Edm.SByte', { type: 'number', limits: { minimum: -128, maximum: 127, decimals: 0 } }],
  ['Edm.Int16', wholeNumbers(2)],
  ['Edm.Int32', wholeNumbers(4)],
  ['Edm.Int64', wholeNumbers(8)],
  ['Edm.Single', scalar('number')],
  ['Edm.Double', scalar('number')],
  ['Edm.Date', scalar('date')],
  ['Edm.DateTime', scalar('dateTime')],
  ['Edm.DateTimeOffset', scalar('dateTime')],
  ['Edm.Guid', scalar('string')],
  ['Edm.Time', scalar('string')],
  ['Edm.TimeOfDay', scalar('string')],
  ['Edm.Duration', scalar('string')],
]);

/** Type and limits of the values of a property; undefined for collections, complex types, bytes and geographic values. */
export function edmScalar({ type, maxLength, scale, isDay, isEnumeration }: EdmProperty): ScalarType | undefined {
  if (isEnumeration) return scalar('string');
  if (type === 'Edm.DateTime' && isDay) return scalar('date');
  if (type === 'Edm.String') return { type: 'string', limits: maxLength === undefined ? {} : { maxLength } };
  if (type === 'Edm.Decimal') return { type: 'number', limits: scale === undefined ? {} : { decimals: scale } };
  return NAMED.get(type);
}
