import type { Row } from './driver.ts';
import { SystemError } from './system-error.ts';

/** Maximum number of characters of a key: an index of PostgreSQL contains it with up to four bytes for each. */
const LONGEST_KEY = 500;

/** Whether a text can identify a row: PostgreSQL stores neither NUL nor lone surrogates. */
export function isKey(text: string): boolean {
  return text.length <= LONGEST_KEY && !text.includes('\0') && text.isWellFormed();
}

/** The text that identifies a row: its key values joined by "/"; in a value, "/" is written %2F and "%" is written %25. */
export function joinKey(parts: readonly string[]): string {
  return parts.map((part) => part.replaceAll('%', '%25').replaceAll('/', '%2F')).join('/');
}

/** The key values of `joinKey`. */
export function splitKey(key: string): string[] {
  return key.split('/').map((part) => part.replaceAll('%2F', '/').replaceAll('%25', '%'));
}

/** The content of a `char(n)`, without its padding. */
export function unpadded(text: string): string {
  return text.replace(/ +$/, '');
}

/** The text that identifies a row, without the padding of its `char(n)` columns (`padded`). */
export function keyOf(row: Row, columns: readonly string[], padded: ReadonlySet<string> = new Set()): string {
  return joinKey(columns.map((column) => (padded.has(column) ? unpadded(String(row[column])) : String(row[column]))));
}

/** The key values of `keyOf`. */
export function keyValues(key: string, columns: readonly string[]): readonly string[] {
  const values = splitKey(key);
  if (values.length === columns.length) return values;
  throw new SystemError('rejected', `"${key}" is not a key of ${columns.length} parts`);
}
