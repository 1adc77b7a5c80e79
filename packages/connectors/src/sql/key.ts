import type { Row } from '../driver.ts';
import { SystemError } from '../system-error.ts';

/** The text that names a row: its key values joined by "/"; a "/" inside a value is written %2F. */
export function keyOf(row: Row, columns: readonly string[]): string {
  return columns.map((column) => escaped(String(row[column]))).join('/');
}

/** The key values of `keyOf`. */
export function keyValues(key: string, columns: readonly string[]): readonly string[] {
  const values = key.split('/').map((part) => part.replaceAll('%2F', '/').replaceAll('%25', '%'));
  if (values.length === columns.length) return values;
  throw new SystemError('rejected', `"${key}" is not a key of ${columns.length} parts`);
}

function escaped(value: string): string {
  return value.replaceAll('%', '%25').replaceAll('/', '%2F');
}
