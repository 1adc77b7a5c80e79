import { nearest } from '@unified/contract';
import type { WriteOperation } from '../driver.ts';
import { SystemError } from '../system-error.ts';
import type { Query, Relation, Right } from './dialect/sql-dialect.ts';
import type { Generated } from './generated.ts';
import { nameOf } from './relation.ts';
import { relationIn, type Source, viewOf } from './source.ts';

/**
 * Problems that prevent writes of a stream although it can be read: columns of `generated`, `columns` and lists, functions,
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
    if (rights.length === 0) continue;
    const missing = await source.dialect.catalog.missingRights(query, relation, rights);
    if (missing.length > 0)
      notes.push(`The login lacks ${missing.join(', ')} on ${nameOf(relation)}, which writes of its records need.`);
  }
  return notes;
}

function missingColumns(source: Source): string[] {
  const { options, catalog } = source;
  const [view, table] = [viewOf(source), relationIn(source, options.table)];
  const names = (relation: Relation) => catalog.get(relation.sql)?.map(({ name }) => name) ?? [];
  const [written, all] = [names(table), [...names(table), ...names(view)]];
  return [
    ...absent(table, Object.keys(options.generated), written, 'generated'),
    ...absent(view, Object.keys(options.columns), all, 'columns'),
    ...Object.entries(options.children).flatMap(([list, { table, number }]) => {
      const relation = relationIn(source, table);
      return absent(relation, number === undefined ? [] : [number], names(relation), `children.${list}.number`);
    }),
  ];
}

function absent(relation: Relation, wanted: readonly string[], names: readonly string[], part: string): string[] {
  const missing = wanted.filter((name) => !names.includes(name));
  return missing.map((name) => {
    const meant = nearest(name, names);
    const remedy = meant === undefined ? '' : ` Did you mean "${meant}"?`;
    return `${nameOf(relation)} has no column "${name}" (${part}).${remedy}`;
  });
}

/** Why a rule cannot generate a value; null if it can, or if it needs only the table. Nothing is generated. */
async function refusalOf(query: Query, source: Source, rule: Exclude<Generated, 'default'>): Promise<string | null> {
  try {
    const { catalog } = source.dialect;
    if ('function' in rule) await catalog.checkFunction(query, relationIn(source, rule.function), 'generate');
    if (!('sequence' in rule)) return null;
    return await catalog.sequenceRefusal(query, relationIn(source, rule.sequence));
  } catch (error) {
    const isRefusal = error instanceof SystemError && ['rejected', 'forbidden'].includes(error.kind);
    if (isRefusal || (error instanceof SystemError && source.dialect.causeOf(error) === 'no-schema'))
      return error.words;
    throw error;
  }
}

/** Rights that writes need on the table and on the lists that are written with it. */
function rightsOf(source: Source, writes: ReadonlySet<WriteOperation>): [Relation, Right[]][] {
  const isUpdated = writes.has('update') || writes.has('replace');
  const own: Right[] = [
    ...(writes.has('create') ? (['INSERT'] as const) : []),
    ...(isUpdated ? (['UPDATE'] as const) : []),
    ...(writes.has('delete') ? (['DELETE'] as const) : []),
  ];
  const isWithLists = writes.has('create') || isUpdated;
  const lists = Object.values(source.options.children).filter(({ written }) => written && isWithLists);
  return [
    [relationIn(source, source.options.table), own],
    ...lists.map(({ table }): [Relation, Right[]] => [relationIn(source, table), ['INSERT', 'DELETE']]),
  ];
}
