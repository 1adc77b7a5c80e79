import type { Row } from '../driver.ts';
import { keyValues } from '../row-key.ts';
import { SystemError } from '../system-error.ts';
import type { Query } from './dialect/sql-dialect.ts';
import { rowOf, selection } from './selection.ts';
import { type Source, viewOf } from './source.ts';
import { equal } from './statements.ts';

/** The row with a key; null if there is none. Throws `SystemError`. */
export async function readRow(query: Query, source: Source, key: string): Promise<Row | null> {
  const { dialect, stream } = source;
  const values: unknown[] = [];
  const selected = selection(source, values);
  const keys = keyValues(key, stream.key);
  const text = `SELECT ${selected} FROM ${viewOf(source).sql} AS t WHERE ${equal(dialect, stream.key, values.length)}`;
  try {
    const [row] = await query(text, [...values, ...keys]);
    return row ? rowOf(source, row) : null;
  } catch (error) {
    if (dialect.causeOf(error) === 'number-range' && (await isBeyondColumn(query, source, keys))) return null;
    throw error;
  }
}

/**
 * Whether no row can have the key because a number is beyond the range of its column. A number in an existing row can also be
 * out of range, if the view computes it; in that case, the statement can be planned.
 */
async function isBeyondColumn(query: Query, source: Source, keys: readonly string[]): Promise<boolean> {
  const { dialect, stream } = source;
  const text = `SELECT 1 FROM ${viewOf(source).sql} AS t WHERE ${equal(dialect, stream.key, 0)}`;
  try {
    await dialect.catalog.plan(query, text, keys);
    return false;
  } catch (error) {
    if (error instanceof SystemError && dialect.causeOf(error) === 'number-range') return true;
    throw error;
  }
}
