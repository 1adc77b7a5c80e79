import type { FieldPacket } from 'mysql2';
import type { Row } from '../../driver.ts';
import { parseExactJson } from '../../exact-number.ts';

/** What the client reports about a column. MariaDB sends JSON as text with this format. */
type Field = Pick<FieldPacket, 'name' | 'columnType'> & { readonly extendedFormat?: string };

const TIMESTAMP = 7;
const DATETIME = 12;
const DATE = 10;
const BIT = 16;
const JSON_TYPE = 245;

/** A row as plain JSON. If columns have the same name, the last one is used. */
export function rowOf(values: readonly unknown[], fields: readonly Field[]): Row {
  return Object.fromEntries(fields.map((field, index) => [field.name, decoded(values[index], field)]));
}

/**
 * The value of a column: decimals, 64-bit integers and times remain the text that the database sends, dates with a time become
 * RFC 3339 as if they were UTC, and bytes are hexadecimal.
 */
function decoded(value: unknown, { columnType, extendedFormat }: Field): unknown {
  if (value === null || value === undefined) return null;
  if (Buffer.isBuffer(value)) return columnType === BIT ? bits(value) : value.toString('hex');
  if (typeof value !== 'string') return value;
  if (columnType === JSON_TYPE || extendedFormat === 'json') return parseExactJson(value);
  if (columnType === DATE) return isZero(value) ? null : value;
  if (columnType === TIMESTAMP || columnType === DATETIME) return isZero(value) ? null : instant(value);
  return value;
}

/** A date of zeros means that there is none. */
function isZero(text: string): boolean {
  return text.startsWith('0000-00-00');
}

/** Dates that do not exist, such as 2024-00-15 or 2024-02-30, are unchanged. */
function instant(text: string): string {
  const zoned = `${text.replace(' ', 'T')}Z`;
  const at = new Date(zoned);
  const isReal = !Number.isNaN(at.getTime()) && at.toISOString().slice(0, 10) === text.slice(0, 10);
  return isReal && at.getUTCFullYear() >= 1 ? at.toISOString() : text;
}

function bits(value: Buffer): number | string {
  const number = BigInt(`0x${value.toString('hex') || '0'}`);
  return number <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(number) : String(number);
}
