import type { Column, WrittenTable, WrittenTables } from '../driver.ts';
import { SystemError } from '../system-error.ts';
import type { Catalog, Relation } from './dialect/sql-dialect.ts';
import { nameOf, noTable, refusedStream } from './relation.ts';
import { relationIn, type Source, viewOf } from './source.ts';

/**
 * Top-level names that rows of the stream have.
 *
 * @throws SystemError `rejected` with every table and column that the stream names and the database lacks, or with the key
 * columns that pages cannot continue from
 */
export function readableColumns(source: Source): readonly Column[] {
  const { catalog, options } = source;
  const { children } = options;
  const missing = needsOf(source).flatMap((need) => missingOf(need, catalog));
  if (missing.length > 0) throw refusedStream(source.stream, [...new Set(missing)].join('; '));
  refuseKeyNotFoundByText(source);
  const own = (catalog.get(viewOf(source).sql) ?? []).map(({ name, type, scalar }) => ({
    name,
    type,
    ...(scalar && !options.columns[name]?.json && { scalar }),
    ...changeable(source, name),
  }));
  const lists = Object.entries(children).map(([name, { table }]) => ({ name, type: `keys of ${table}` }));
  return [...own.filter(({ name }) => !Object.hasOwn(children, name)), ...lists];
}

function refuseKeyNotFoundByText(source: Source): void {
  const view = viewOf(source);
  const columns = (source.catalog.get(view.sql) ?? []).filter(
    ({ name, isNotFoundByText }) => isNotFoundByText && source.stream.key.includes(name),
  );
  if (columns.length === 0) return;
  const named = columns.map(({ name, type }) => `"${name}" (${type || 'without a type'})`).join(', ');
  throw new SystemError(
    'rejected',
    `${nameOf(view)}: ${named} cannot be part of the key, because its values cannot be looked up by their text; give the column a numeric or text type, or read a view that does`,
  );
}

/** Whether writes can set a column that is read. The table must have the column, and key columns cannot be changed. */
function changeable(source: Source, name: string): Pick<Column, 'isReadOnly' | 'isRequired'> {
  const { table, query } = source.options;
  if (query !== undefined) return { isReadOnly: true };
  const written = source.catalog.get(relationIn(source, table).sql)?.find((each) => each.name === name);
  if (!written || written.isReadOnly || source.stream.key.includes(name)) return { isReadOnly: true };
  return written.isRequired ? { isRequired: true } : {};
}

/** The table that the writes of a stream change, and the tables of the lists that are written with it. */
export function writtenTables(source: Source): WrittenTables {
  const { table, children, actions } = source.options;
  const shown = (name: string): WrittenTable => {
    const relation = relationIn(source, name);
    return { table: nameOf(relation), columns: source.catalog.get(relation.sql)?.map(({ name }) => name) ?? [] };
  };
  const own = shown(table);
  const lists = Object.entries(children).filter(([, { written }]) => written);
  return {
    table: own.table,
    // A list of the row hides a column with the same name.
    columns: own.columns.filter((name) => !Object.hasOwn(children, name)),
    lists: new Map(lists.map(([name, { table }]) => [name, shown(table)])),
    actions: new Set(Object.keys(actions).filter((name) => actions[name]?.call === undefined)),
  };
}

/** Columns that a stream names, each with the part that names it, and their table. */
interface Need {
  readonly relation: Relation;
  readonly columns: ReadonlyMap<string, string>;
}

/** Columns that are read, each with the part of the stream that names it. */
function needsOf(source: Source): Need[] {
  const { stream, options } = source;
  const { table, query, children, content } = options;
  const lists = Object.entries(children);
  return [
    {
      relation: viewOf(source),
      columns: new Map([
        ...lists.flatMap(([name, { parent }]) => columns(name, Object.values(parent))),
        ...columns('cursor', stated(stream.cursor)),
        ...columns('key', stream.key),
      ]),
    },
    ...(query === undefined
      ? [{ relation: relationIn(source, table), columns: new Map(columns('content', stated(content))) }]
      : []),
    ...lists.map(([name, { table, parent, where = {}, key, cursor = [] }]) => ({
      relation: relationIn(source, table),
      columns: new Map(columns(name, [...Object.keys(parent), ...Object.keys(where), ...key].concat(cursor))),
    })),
  ];
}

function stated(name: string | undefined): string[] {
  return name === undefined ? [] : [name];
}

function columns(part: string, names: readonly string[]): [name: string, part: string][] {
  return names.map((name) => [name, part]);
}

function missingOf({ relation, columns }: Need, catalog: Catalog): string[] {
  const found = catalog.get(relation.sql);
  if (!found) return [noTable(relation)];
  const names = new Set(found.map(({ name }) => name));
  return [...columns]
    .filter(([name]) => !names.has(name))
    .map(([name, part]) => `${nameOf(relation)} has no column "${name}" (${part})`);
}
