import type { Row } from '../driver.ts';
import { joinKey, splitKey } from '../row-key.ts';
import { SystemError } from '../system-error.ts';

/** The content of a `char(n)`: the blanks that fill it up are no part of it. */
export function unpadded(text: string): string {
  return text.replace(/ +$/, '');
}

/** The text that names a row, without the padding of its `char(n)` columns (`padded`). */
export function keyOf(row: Row, columns: readonly string[], padded: ReadonlySet<string> = new Set()): string {
  return joinKey(columns.map((column) => (padded.has(column) ? unpadded(String(row[column])) : String(row[column]))));
}

/** The key values of `keyOf`. */
export function keyValues(key: string, columns: readonly string[]): readonly string[] {
  const values = splitKey(key);
  if (values.length === columns.length) return values;
  throw new SystemError('rejected', `"${key}" is not a key of ${columns.length} parts`);
}
