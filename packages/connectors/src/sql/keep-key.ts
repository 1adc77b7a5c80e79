import type { Row } from '../driver.ts';
import { keyValues } from '../row-key.ts';
import { SystemError } from '../system-error.ts';
import type { Query } from './dialect/sql-dialect.ts';
import type { RowToChange } from './row-to-change.ts';
import { writtenZonesIn } from './source.ts';
import { equal, parameterOf } from './statements.ts';

/**
 * The sent values without the key columns, because a row with another key would be another record. The database compares, so
 * that the type of a column decides which texts are the same value: trailing blanks of a `char(n)`, zeros of a number.
 *
 * @throws SystemError `rejected` when a value differs from that of the row, `gone` when there is no such row
 */
export async function withoutKey(query: Query, toChange: RowToChange, sent: Row): Promise<Row> {
  const { table, columns, key, name, source } = toChange;
  const { dialect } = source;
  const keys = columns.filter((column) => Object.hasOwn(sent, column));
  if (keys.length === 0) return sent;
  const parameters: unknown[] = [];
  const zones = writtenZonesIn(source, table);
  const same = keys.map((column, index) => {
    const value = parameterOf(dialect, column, sent[column], parameters, zones);
    return `${dialect.spell.isSame(dialect.spell.quote(column), value)} AS ${dialect.spell.quote(String(index))}`;
  });
  const [row] = await query(
    `SELECT ${same.join(', ')} FROM ${table} WHERE ${equal(dialect, columns, parameters.length)}`,
    [...parameters, ...keyValues(key, columns)],
  );
  if (!row) throw new SystemError('gone', `${name} ${key} no longer exists`);
  const different = keys.filter((_, index) => Number(row[index]) !== 1);
  const changed = different.map((column) => `"${column}"`);
  if (changed.length > 0)
    throw new SystemError('rejected', refusal(changed, name), { clientWords: KEY_IS_FIXED, columns: different });
  return Object.fromEntries(Object.entries(sent).filter(([column]) => !keys.includes(column)));
}

const KEY_IS_FIXED = 'The key of a record cannot be changed';

function refusal(columns: readonly string[], name: string): string {
  const noun = columns.length === 1 ? 'column' : 'columns';
  return `The key ${noun} ${columns.join(', ')} of ${name} cannot be changed`;
}
