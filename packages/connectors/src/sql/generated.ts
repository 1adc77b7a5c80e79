import type { Row } from '../driver.ts';
import type { Query } from './dialect/sql-dialect.ts';
import { relationIn, type Source, tableOf } from './source.ts';

/** Source of the value of a column that a create omits: see `generated` in `options.schema.json`. */
export type Generated =
  | 'default'
  | { readonly function: string }
  | { readonly sequence: string; readonly prefix?: string; readonly digits?: number }
  | { readonly highest: true; readonly prefix?: string; readonly digits?: number };

/** Adds values for the generated columns that are not sent. */
export async function generate(query: Query, source: Source, sent: Row): Promise<Row> {
  const row = withoutGenerated(source, sent);
  for (const [column, rule] of Object.entries(source.options.generated)) {
    if (rule === 'default' || Object.hasOwn(row, column)) continue;
    row[column] = await next(query, source, column, rule);
  }
  return row;
}

/** The sent values without nulls for generated columns: a generated code cannot be cleared. */
export function withoutGenerated({ options }: Source, sent: Row): Row {
  const { generated } = options;
  return Object.fromEntries(
    Object.entries(sent).filter(([column, value]) => value !== null || !Object.hasOwn(generated, column)),
  );
}

async function next(query: Query, source: Source, column: string, rule: Exclude<Generated, 'default'>) {
  const { catalog, spell } = source.dialect;
  if ('function' in rule) {
    const [row] = await query(`SELECT ${relationIn(source, rule.function).sql}() AS value`);
    return row?.value ?? null;
  }
  const { prefix = '', digits = 0 } = rule;
  // If another client takes the number first, a unique constraint refuses this row.
  const number =
    'sequence' in rule
      ? await catalog.nextOf(query, relationIn(source, rule.sequence))
      : await catalog.afterHighest(query, tableOf(source), spell.quote(column), prefix);
  return `${prefix}${number.padStart(digits, '0')}`;
}
