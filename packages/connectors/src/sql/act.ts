import type { Row } from '../driver.ts';
import { SystemError } from '../system-error.ts';
import type { Query } from './database.ts';
import { keyValues } from './key.ts';
import type { ActionOptions } from './options.ts';
import { quote } from './quote.ts';
import { assignments, equal } from './statements.ts';
import type { Target } from './target.ts';

/** Does a declared action to one row: holds the guard against the locked row, then sets columns or calls a function. */
export async function act(query: Query, target: Target, action: ActionOptions, values: Row): Promise<void> {
  const missing = action.requires?.filter((name) => (values[name] ?? null) === null) ?? [];
  if (missing.length > 0) throw new SystemError('rejected', `The action needs ${missing.join(', ')}`);
  const row = await lock(query, target);
  guard(row, action);
  if (action.call !== undefined) {
    const name = `${quote(target.schema)}.${quote(action.call)}`;
    await query(`SELECT ${name}($1::text, $2::jsonb)`, [target.key, JSON.stringify(values)]);
    return;
  }
  const changes = assignments({ ...values, ...action.set });
  const now = (action.now ?? []).filter((column) => (values[column] ?? null) === null);
  const sets = [...(changes.text ? [changes.text] : []), ...now.map((column) => `${quote(column)} = now()`)];
  if (sets.length === 0) return;
  await query(`UPDATE ${target.table} SET ${sets.join(', ')} WHERE ${equal(target.columns, changes.values.length)}`, [
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
