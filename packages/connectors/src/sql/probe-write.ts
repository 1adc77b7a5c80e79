import type { WriteOperation } from '../driver.ts';
import { SystemError } from '../system-error.ts';
import { nameOf } from './catalog.ts';
import type { Query } from './database.ts';
import { codeOf } from './failure.ts';
import type { Generated } from './generated.ts';
import { type Relation, relationOf } from './relation.ts';
import { type Source, viewOf } from './target.ts';

const INVALID_SCHEMA = '3F000';

/**
 * What keeps writes of a stream from working, though it can be read: columns of `generated` and `columns`, functions,
 * sequences and rights that are missing. `writes` are those that the mappings of the stream declare.
 */
export async function notesOnWrites(
  query: Query,
  source: Source,
  writes: ReadonlySet<WriteOperation>,
): Promise<string[]> {
  const notes = missingColumns(source);
  for (const [column, rule] of Object.entries(source.options.generated)) {
    const problem = rule === 'default' ? null : await refusalOf(query, source, rule);
    if (problem !== null) notes.push(`Generating "${column}" (generated) will fail: ${problem}.`);
  }
  for (const [relation, rights] of rightsOf(source, writes)) {
    const missing = await missingRights(query, relation, rights);
    if (missing.length > 0)
      notes.push(`The login lacks ${missing.join(', ')} on ${nameOf(relation)}, which writes of its records need.`);
  }
  return notes;
}

function missingColumns(source: Source): string[] {
  const { schema, options, catalog } = source;
  const [view, table] = [viewOf(source), relationOf(options.table, schema)];
  const names = (relation: Relation) => catalog.get(relation.sql)?.map(({ name }) => name) ?? [];
  const [written, all] = [names(table), [...names(table), ...names(view)]];
  return [
    ...absent(table, Object.keys(options.generated), written, 'generated'),
    ...absent(view, Object.keys(options.columns), all, 'columns'),
  ];
}

function absent(relation: Relation, wanted: readonly string[], names: readonly string[], part: string): string[] {
  const missing = wanted.filter((name) => !names.includes(name));
  return missing.map((name) => `${nameOf(relation)} has no column "${name}" (${part}).`);
}

/** Why a rule cannot generate a value; null: it can, or needs nothing but the table. Nothing is generated. */
async function refusalOf(
  query: Query,
  { schema }: Source,
  rule: Exclude<Generated, 'default'>,
): Promise<string | null> {
  try {
    if ('function' in rule) await query(`SELECT ${relationOf(rule.function, schema).sql}() WHERE false`);
    if (!('sequence' in rule)) return null;
    const sequence = relationOf(rule.sequence, schema);
    const [row] = await query(`SELECT has_sequence_privilege($1, 'USAGE, UPDATE') AS "isUsable"`, [sequence.sql]);
    return row?.isUsable ? null : `permission denied for sequence ${nameOf(sequence)}`;
  } catch (error) {
    const isRefusal = error instanceof SystemError && ['rejected', 'forbidden'].includes(error.kind);
    if (isRefusal || (error instanceof SystemError && codeOf(error.cause) === INVALID_SCHEMA)) return error.words;
    throw error;
  }
}

type Right = 'INSERT' | 'UPDATE' | 'DELETE';

/** Rights that writes need, of the table and of the lists that are written with it. */
function rightsOf({ schema, options }: Source, writes: ReadonlySet<WriteOperation>): [Relation, Right[]][] {
  const isUpdated = writes.has('update') || writes.has('replace');
  const own: Right[] = [
    ...(writes.has('create') ? (['INSERT'] as const) : []),
    ...(isUpdated ? (['UPDATE'] as const) : []),
    ...(writes.has('delete') ? (['DELETE'] as const) : []),
  ];
  const isWithLists = writes.has('create') || isUpdated;
  const lists = Object.values(options.children).filter(({ written }) => written && isWithLists);
  return [
    [relationOf(options.table, schema), own],
    ...lists.map(({ table }): [Relation, Right[]] => [relationOf(table, schema), ['INSERT', 'DELETE']]),
  ];
}

/** A right to some columns is enough for INSERT and UPDATE. */
async function missingRights(query: Query, { sql }: Relation, rights: readonly Right[]): Promise<Right[]> {
  const [row] = await query(
    `SELECT has_any_column_privilege($1, 'INSERT') AS "INSERT", has_any_column_privilege($1, 'UPDATE') AS "UPDATE",
            has_table_privilege($1, 'DELETE') AS "DELETE"`,
    [sql],
  );
  return rights.filter((right) => row?.[right] !== true);
}
