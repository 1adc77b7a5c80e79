import type { Row } from '../driver.ts';
import { keyValues } from '../row-key.ts';
import { SystemError } from '../system-error.ts';
import type { Query } from './dialect/sql-dialect.ts';
import { withoutKey } from './keep-key.ts';
import type { ActionOptions } from './options.ts';
import { assignments, equal } from './statements.ts';
import { relationIn, type Target, zonesIn } from './target.ts';

/** Applies a declared action to one row: checks the guard on the locked row, then sets columns or calls a function. */
export async function act(query: Query, target: Target, action: ActionOptions, values: Row): Promise<void> {
  const missing = action.requires?.filter((name) => (values[name] ?? null) === null) ?? [];
  if (missing.length > 0) throw new SystemError('rejected', `The action needs ${missing.join(', ')}`);
  const row = await lock(query, target);
  guard(row, action);
  const { dialect } = target.source;
  if (action.call !== undefined) {
    const { sql } = relationIn(target.source, action.call);
    await query(dialect.spell.call(sql, '$1', '$2'), [target.key, JSON.stringify(values)]);
    return;
  }
  const now = (action.now ?? []).filter((column) => (values[column] ?? null) === null);
  const sent = Object.entries({ ...values, ...action.set }).filter(([column]) => !now.includes(column));
  const columns = await withoutKey(query, target, Object.fromEntries(sent));
  const changes = assignments(dialect, columns, zonesIn(target.source, target.table), now);
  if (changes.text === '') return;
  const condition = equal(dialect, target.columns, changes.values.length);
  await query(dialect.spell.update(target.table, changes.text, condition), [
    ...changes.values,
    ...keyValues(target.key, target.columns),
  ]);
}

async function lock(query: Query, { source, table, columns, key, name }: Target): Promise<Row> {
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
