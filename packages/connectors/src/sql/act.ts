import type { Row } from '../driver.ts';
import { SystemError } from '../system-error.ts';
import type { Query } from './database.ts';
import { withoutKey } from './keep-key.ts';
import { keyValues } from './key.ts';
import type { ActionOptions } from './options.ts';
import { relationOf } from './relation.ts';
import { assignments, equal } from './statements.ts';
import { type Target, zonesIn } from './target.ts';

/** Does a declared action to one row: holds the guard against the locked row, then sets columns or calls a function. */
export async function act(query: Query, target: Target, action: ActionOptions, values: Row): Promise<void> {
  const missing = action.requires?.filter((name) => (values[name] ?? null) === null) ?? [];
  if (missing.length > 0) throw new SystemError('rejected', `The action needs ${missing.join(', ')}`);
  const row = await lock(query, target);
  guard(row, action);
  if (action.call !== undefined) {
    const { sql } = relationOf(action.call, target.source.schema);
    await query(`SELECT ${sql}($1::text, $2::jsonb)`, [target.key, JSON.stringify(values)]);
    return;
  }
  const now = (action.now ?? []).filter((column) => (values[column] ?? null) === null);
  const sent = Object.entries({ ...values, ...action.set }).filter(([column]) => !now.includes(column));
  const columns = await withoutKey(query, target, Object.fromEntries(sent));
  const changes = assignments(columns, zonesIn(target.source, target.table), now);
  if (changes.text === '') return;
  await query(`UPDATE ${target.table} SET ${changes.text} WHERE ${equal(target.columns, changes.values.length)}`, [
    ...changes.values,
    ...keyValues(target.key, target.columns),
  ]);
}

async function lock(query: Query, { table, columns, key, name }: Target): Promise<Row> {
  const [row] = await query(`SELECT * FROM ${table} WHERE ${equal(columns, 0)} FOR UPDATE`, keyValues(key, columns));
  if (row) return row;
  throw new SystemError('gone', `${name} ${key} does not exist any more`);
}

function guard(row: Row, { when, refusal }: ActionOptions): void {
  if (!when || when.in.some((value) => String(value) === String(row[when.column]).trim())) return;
  const words = refusal ?? `{${when.column}} of ${when.column} does not allow this`;
  const told = words.replace(/\{(\w+)\}/g, (whole, column: string) =>
    Object.hasOwn(row, column) ? String(row[column]).trim() : whole,
  );
  throw new SystemError('rejected', told);
}
