import { SystemError } from '../system-error.ts';
import type { Query } from './dialect/sql-dialect.ts';
import type { ActionOptions } from './options.ts';
import { nameOf } from './relation.ts';
import { relationIn, type Source, tableOf, writtenZonesIn } from './source.ts';
import { assignments } from './statements.ts';

/**
 * The errors of these actions of a stream: an action is not declared, or the columns, functions and rights that it needs are
 * missing. Nothing is changed: statements are only planned, or match no rows.
 */
export async function actionProblems(query: Query, source: Source, names: readonly string[]): Promise<string[]> {
  const problems: string[] = [];
  for (const name of names) {
    const { actions } = source.options;
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
    const problem = action ? await refusalOf(query, source, action) : 'the stream declares no such action';
    if (problem !== null) problems.push(`${name}: ${problem}`);
  }
  return problems;
}

async function refusalOf(query: Query, source: Source, action: ActionOptions): Promise<string | null> {
  const missing = missingColumns(source, action);
  if (missing.length > 0) return missing.join('; ');
  const { spell, catalog } = source.dialect;
  try {
    const guarded = action.when ? `${spell.quote(action.when.column)} IS NULL` : '1 = 1';
    await catalog.plan(query, spell.lock(tableOf(source), guarded));
    if (action.call === undefined) await planUpdate(query, source, action);
    else await catalog.checkFunction(query, relationIn(source, action.call), 'act');
    return null;
  } catch (error) {
    if (error instanceof SystemError && (error.kind === 'rejected' || error.kind === 'forbidden')) return error.words;
    throw error;
  }
}

/** Every column that an action names and its table lacks; parameters of a function need not be columns. */
function missingColumns(source: Source, action: ActionOptions): string[] {
  const { when, set = {}, now = [], requires = [], call } = action;
  const table = relationIn(source, source.options.table);
  const changed = call === undefined ? [...Object.keys(set), ...now, ...requires] : [];
  const names = new Set(source.catalog.get(table.sql)?.map(({ name }) => name));
  return [...new Set([...(when ? [when.column] : []), ...changed])]
    .filter((name) => !names.has(name))
    .map((name) => `${nameOf(table)} has no column "${name}"`);
}

async function planUpdate(query: Query, source: Source, { set = {}, now = [], requires = [] }: ActionOptions) {
  const sent = Object.fromEntries(requires.map((column) => [column, null]));
  const table = tableOf(source);
  const timed = now.filter((column) => !Object.hasOwn(set, column) && !Object.hasOwn(sent, column));
  const { text, values } = assignments(source.dialect, { ...sent, ...set }, writtenZonesIn(source, table), timed);
  const { spell, catalog } = source.dialect;
  if (text !== '') await catalog.plan(query, spell.update(table, text, '1 = 1'), values);
}
