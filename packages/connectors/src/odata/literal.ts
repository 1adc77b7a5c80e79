import { SystemError } from '../system-error.ts';
import type { EdmProperty, EntityType, ODataVersion } from './metadata/metadata.ts';
import { durationOf } from './v2-time.ts';
import { instantOf, plainDecimal } from './values.ts';

const WHOLE: ReadonlySet<string> = new Set(['Edm.Byte', 'Edm.SByte', 'Edm.Int16', 'Edm.Int32']);

/**
 * A value in a filter or key, not yet percent-encoded: `'O''Neill'`, `12.3M`, `datetime'2026-11-20T00:00:00'`.
 *
 * @throws {SystemError} `rejected` if the property cannot have this value
 */
export function literal(value: unknown, property: EdmProperty, version: ODataVersion): string {
  if (value === null || value === undefined) return 'null';
  const { type } = property;
  if (type === 'Edm.String') return quoted(String(value));
  if (type === 'Edm.Boolean' || WHOLE.has(type)) return checked(value, property);
  if (type === 'Edm.Double' || type === 'Edm.Single') return checked(value, property);
  return version === 2 ? literalV2(value, property) : literalV4(value, property);
}

function literalV2(value: unknown, property: EdmProperty): string {
  const { type } = property;
  const text = String(value);
  switch (type) {
    case 'Edm.Decimal':
      return `${plainDecimal(value, property)}M`;
    case 'Edm.Int64':
      return `${plainDecimal(value, property)}L`;
    case 'Edm.Guid':
      return `guid${quoted(text)}`;
    case 'Edm.DateTime':
      return `datetime'${new Date(instantOf(value, property))
        .toISOString()
        .slice(0, -1)
        .replace(/\.000$/, '')}'`;
    case 'Edm.DateTimeOffset':
      return `datetimeoffset'${new Date(instantOf(value, property)).toISOString().replace('.000Z', 'Z')}'`;
    case 'Edm.Time':
      return `time'${durationOf(text)}'`;
    default:
      return quoted(text);
  }
}

function literalV4(value: unknown, property: EdmProperty): string {
  const { type } = property;
  if (type === 'Edm.Decimal' || type === 'Edm.Int64') return plainDecimal(value, property);
  if (type === 'Edm.Date') return String(value).slice(0, 10);
  if (type === 'Edm.DateTimeOffset') return new Date(instantOf(value, property)).toISOString().replace('.000Z', 'Z');
  if (type === 'Edm.Duration') return `duration${quoted(String(value))}`;
  if (type === 'Edm.Guid' || type === 'Edm.TimeOfDay') return checked(value, property);
  if (property.isEnumeration) return `${type}${quoted(String(value))}`;
  return quoted(String(value));
}

/** Values that are written without quotes must not contain anything that ends them. */
function checked(value: unknown, { name }: EdmProperty): string {
  const text = String(value);
  if (/^[\w.:+-]+$/.test(text)) return text;
  throw new SystemError('rejected', `"${text}" is not a value of ${name}`, { columns: [name] });
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/**
 * The part of an address that names one entity: `A_BusinessPartner('17100001')`, percent-encoded. The value of a single key
 * column has no name; the values of several do.
 */
export function entityPath(
  set: string,
  type: EntityType,
  columns: readonly string[],
  values: readonly string[],
  version: ODataVersion,
): string {
  const parts = columns.map((column, index) => {
    const property = type.properties.get(column);
    if (!property) throw new SystemError('rejected', `The service has no property ${column} in ${set}`);
    const text = encodeURIComponent(literal(values[index], property, version)).replaceAll("'", '%27');
    return columns.length === 1 ? text : `${column}=${text}`;
  });
  return `${encodeURIComponent(set)}(${parts.join(',')})`;
}
