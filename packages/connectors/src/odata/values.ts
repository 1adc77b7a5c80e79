import { SystemError } from '../system-error.ts';
import { ExactNumber } from './exact-values.ts';
import type { EdmProperty, ODataVersion } from './metadata/metadata.ts';
import { durationOf, timeOfDay, timestampOf } from './v2-time.ts';

/** Properties of a type that matter for its values. */
export type ValueType = Pick<EdmProperty, 'type' | 'isDay'>;

const FLOATS: ReadonlySet<string> = new Set(['Edm.Double', 'Edm.Single']);
/** Numbers that are strings in JSON if the service supports this, because JSON numbers lose digits. V2 has no other form. */
const EXACT: ReadonlySet<string> = new Set(['Edm.Decimal', 'Edm.Int64']);

/**
 * A value on the wire as rows contain it: a decimal or Int64 as text with all digits, a timestamp as RFC 3339, a day as
 * "2026-11-20". A value that does not have the type is unchanged, so that the mapping reports it.
 */
export function decodeValue(value: unknown, { type, isDay }: ValueType): unknown {
  if (value === null || value === undefined) return null;
  if (EXACT.has(type)) return typeof value === 'number' ? String(value) : value;
  if (typeof value !== 'string') return value;
  if (FLOATS.has(type)) return value.trim() === '' || Number.isNaN(Number(value)) ? value : Number(value);
  if (type === 'Edm.DateTime' || type === 'Edm.DateTimeOffset') {
    const text = timestampOf(value) ?? value;
    return isDay ? text.slice(0, 10) : text;
  }
  if (type === 'Edm.Time') return timeOfDay(value) ?? value;
  return value;
}

/** A value from a mapping, encoded for the body of a request. */
export function encodeValue(value: unknown, property: EdmProperty, version: ODataVersion): unknown {
  if (value === null || value === undefined) return null;
  const { type } = property;
  if (EXACT.has(type)) {
    const digits = plainDecimal(value, property);
    return version === 2 ? digits : new ExactNumber(digits);
  }
  if (type === 'Edm.String' || type === 'Edm.Guid') return typeof value === 'object' ? value : String(value);
  if (version === 2) return encodeV2(value, property);
  if (type === 'Edm.Date') return String(value).slice(0, 10);
  if (type === 'Edm.DateTimeOffset') return new Date(instantOf(value, property)).toISOString();
  return value;
}

function encodeV2(value: unknown, property: EdmProperty): unknown {
  const { type, isDay } = property;
  if (FLOATS.has(type)) return String(value);
  if (type === 'Edm.Time') return durationOf(String(value));
  if (type === 'Edm.DateTime') return `/Date(${instantOf(isDay ? String(value).slice(0, 10) : value, property)})/`;
  if (type === 'Edm.DateTimeOffset') return `/Date(${instantOf(value, property)}+0000)/`;
  return value;
}

/** Digits without an exponent, which some services refuse. */
export function plainDecimal(value: unknown, { name }: Pick<EdmProperty, 'name'>): string {
  const text = String(value).trim();
  const [, sign = '', whole = '', fraction = '', exponent] =
    /^([+-]?)(\d+)(?:\.(\d+))?(?:e([+-]?\d{1,2}))?$/i.exec(text) ?? [];
  if (whole === '') throw new SystemError('rejected', `"${text}" is not a number`, { columns: [name] });
  if (exponent === undefined) return text;
  const digits = `${whole}${fraction}`;
  const point = whole.length + Number(exponent);
  const padded = point <= 0 ? digits.padStart(digits.length - point + 1, '0') : digits.padEnd(point, '0');
  const at = Math.max(point, 1);
  const rest = padded.slice(at);
  return `${sign}${padded.slice(0, at)}${rest && `.${rest}`}`;
}

/** Milliseconds since 1970 of a day or timestamp. */
export function instantOf(value: unknown, { name }: Pick<EdmProperty, 'name'>): number {
  const text = String(value);
  const zoned = /^\d{4}-\d{2}-\d{2}T[\d:.]+$/.test(text) ? `${text}Z` : text;
  const at = Date.parse(zoned);
  if (!Number.isNaN(at)) return at;
  throw new SystemError('rejected', `"${text}" is not a date`, { columns: [name] });
}
