import type { Row } from '../driver.ts';
import { joinKey, splitKey } from '../row-key.ts';
import { SystemError } from '../system-error.ts';

/** The text that names a row; the blanks that fill up a `char(n)` (`padded`) are no part of it. */
export function keyOf(row: Row, columns: readonly string[], padded: ReadonlySet<string> = new Set()): string {
  return joinKey(
    columns.map((column) => (padded.has(column) ? String(row[column]).replace(/ +$/, '') : String(row[column]))),
  );
}

/** The key values of `keyOf`. */
export function keyValues(key: string, columns: readonly string[]): readonly string[] {
  const values = splitKey(key);
  if (values.length === columns.length) return values;
  throw new SystemError('rejected', `"${key}" is not a key of ${columns.length} parts`);
}
