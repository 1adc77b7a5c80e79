import type { Row } from '../driver.ts';
import { keyValues } from '../row-key.ts';
import { SystemError } from '../system-error.ts';
import type { Query } from './dialect/sql-dialect.ts';
import { withoutKey } from './keep-key.ts';
import type { ActionOptions } from './options.ts';
import type { RowToChange } from './row-to-change.ts';
import { relationIn, writtenZonesIn } from './source.ts';
import { assignments, equal } from './statements.ts';

/** Applies a declared action to one row: checks the guard on the locked row, then sets columns or calls a function. */
export async function act(query: Query, toChange: RowToChange, action: ActionOptions, values: Row): Promise<void> {
  const missing = action.requires?.filter((name) => (values[name] ?? null) === null) ?? [];
  if (missing.length > 0) throw new SystemError('rejected', `The action needs ${missing.join(', ')}`);
  const row = await lock(query, toChange);
  guard(row, action);
  const { dialect } = toChange.source;
  if (action.call !== undefined) {
    const { sql } = relationIn(toChange.source, action.call);
    await query(dialect.spell.call(sql, '$1', '$2'), [toChange.key, JSON.stringify(values)]);
    return;
  }
  const now = (action.now ?? []).filter((column) => (values[column] ?? null) === null);
  const sent = Object.entries({ ...values, ...action.set }).filter(([column]) => !now.includes(column));
  const columns = await withoutKey(query, toChange, Object.fromEntries(sent));
  const changes = assignments(dialect, columns, writtenZonesIn(toChange.source, toChange.table), now);
  if (changes.text === '') return;
  const condition = equal(dialect, toChange.columns, changes.values.length);
  await query(dialect.spell.update(toChange.table, changes.text, condition), [
    ...changes.values,
    ...keyValues(toChange.key, toChange.columns),
  ]);
}

async function lock(query: Query, { source, table, columns, key, name }: RowToChange): Promise<Row> {
  const statement = source.dialect.spell.lock(table, equal(source.dialect, columns, 0));
  const [row] = await query(statement, keyValues(key, columns));
  if (row) return row;
  throw new SystemError('gone', `${name} ${key} no longer exists`);
}

function guard(row: Row, { when, refusal }: ActionOptions): void {
  if (!when || when.in.some((value) => String(value) === String(row[when.column]).trim())) return;
  const words = refusal ?? `{${when.column}} of ${when.column} does not allow this`;
  const message = words.replace(/\{(\w+)\}/g, (whole, column: string) =>
    Object.hasOwn(row, column) ? String(row[column]).trim() : whole,
  );
  throw new SystemError('rejected', message);
}
