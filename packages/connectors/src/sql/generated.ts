import type { Row } from '../driver.ts';
import type { Query } from './database.ts';
import { quote } from './quote.ts';
import { relationOf } from './relation.ts';
import { type Source, tableOf } from './target.ts';

/** Where the value of a column comes from that a create leaves out: see `generated` in `options.schema.json`. */
export type Generated =
  | 'default'
  | { readonly function: string }
  | { readonly sequence: string; readonly prefix?: string; readonly digits?: number }
  | { readonly highest: true; readonly prefix?: string; readonly digits?: number };

/** Gives the columns that the database generates a value, where none is sent. */
export async function generate(query: Query, source: Source, sent: Row): Promise<Row> {
  const row = withoutGenerated(source, sent);
  for (const [column, rule] of Object.entries(source.options.generated)) {
    if (rule === 'default' || Object.hasOwn(row, column)) continue;
    row[column] = await next(query, source, column, rule);
  }
  return row;
}

/** What is sent, without generated columns that are to be empty: a code that the database gives cannot be taken away. */
export function withoutGenerated({ options }: Source, sent: Row): Row {
  const { generated } = options;
  return Object.fromEntries(
    Object.entries(sent).filter(([column, value]) => value !== null || !Object.hasOwn(generated, column)),
  );
}

async function next(query: Query, source: Source, column: string, rule: Exclude<Generated, 'default'>) {
  if ('function' in rule) {
    const [row] = await query(`SELECT ${relationOf(rule.function, source.schema).sql}() AS value`);
    return row?.value ?? null;
  }
  const { prefix = '', digits = 0 } = rule;
  const number =
    'sequence' in rule ? await nextOf(query, source, rule.sequence) : await afterHighest(query, source, column, prefix);
  return `${prefix}${number.padStart(digits, '0')}`;
}

async function nextOf(query: Query, { schema }: Source, sequence: string): Promise<string> {
  const [row] = await query('SELECT nextval($1::regclass)::text AS number', [relationOf(sequence, schema).sql]);
  return String(row?.number);
}

/** Our own creates wait for each other; where another client takes the number first, a unique constraint refuses it. */
async function afterHighest(query: Query, source: Source, column: string, prefix: string): Promise<string> {
  const [table, name] = [tableOf(source), quote(column)];
  await query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`${table}.${name}`]);
  const [row] = await query(
    `SELECT (coalesce(max(substr(${name}::text, length($1) + 1)::numeric), 0) + 1)::text AS number FROM ${table}
     WHERE starts_with(${name}::text, $1) AND substr(${name}::text, length($1) + 1) ~ '^[0-9]{1,18} *$'`,
    [prefix],
  );
  return String(row?.number);
}
