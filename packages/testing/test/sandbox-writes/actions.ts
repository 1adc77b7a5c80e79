import { expect } from 'vitest';
import type { Company } from '../served-company.ts';
import type { Recipe, Row } from '../write-recipe.ts';
import { inText } from './company-rows.ts';
import type { WrittenEntity } from './written-fields.ts';

/** An action on a row of the company, or on one that the recipe creates, and the columns that it changes. */
export interface ActionCase {
  /**
   * The condition in SQL on the row `t` that is chosen: it allows the action, and has none of its effects yet. Absent for a new
   * row.
   */
  readonly on?: string;
  readonly body: Row;
  readonly found: Row;
}

/** Cases by entity and action. */
export type ActionCases = Readonly<Record<string, Readonly<Record<string, ActionCase>>>>;

/** A column that had no value, and has one after the action. */
export const filled: unknown = expect.any(String);

/** A row of a list. */
export const aRow: unknown = expect.any(Object);

/** Chooses a row of the company for each action of an entity. */
export async function actionsOf(
  { entity, stream }: WrittenEntity,
  cases: ActionCases,
  company: Company,
): Promise<Required<Pick<Recipe, 'actions' | 'existing'>>> {
  const own = Object.entries(cases[entity.name] ?? {});
  const existing: Record<string, string> = {};
  for (const [action, { on }] of own)
    if (on !== undefined) existing[action] = await rowWhere(company, stream, on, Object.values(existing));
  const actions = own.map(
    ([action, { body, found }]) => [action, () => ({ body, found: inText(found) as Row })] as const,
  );
  return { existing, actions: Object.fromEntries(actions) };
}

/** The key of the first row of a table that matches a condition, except those that are used already. */
export async function rowWhere(
  { sql }: Pick<Company, 'sql'>,
  { name, key }: Pick<WrittenEntity['stream'], 'name' | 'key'>,
  condition: string,
  used: readonly string[] = [],
): Promise<string> {
  const keySql = `concat_ws('/', ${key.map((column) => `t.${column}`).join(', ')})`;
  const text = `SELECT ${keySql} AS key FROM ${name} t WHERE (${condition}) AND NOT ${keySql} = ANY($1) ORDER BY ${key.join(', ')} LIMIT 1`;
  const [found] = await sql(text, [used]);
  return found ? String(found.key) : expect.fail(`The company has no row of ${name} with ${condition}.`);
}
