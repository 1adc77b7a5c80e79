import type { Row } from '../driver.ts';
import type { Stream } from '../platform.ts';
import { keyOf } from '../row-key.ts';
import { type Cursor, cursorOf } from './cursor-column.ts';
import type { Catalog, Relation, SqlDialect } from './dialect/sql-dialect.ts';
import type { StreamOptions } from './options.ts';
import { relationOf, relationOfQuery } from './relation.ts';
import { NO_ZONES, type ZonedColumns } from './zones.ts';

/** A stream in one system. */
export interface Source {
  readonly dialect: SqlDialect;
  /** Default schema of tables. */
  readonly schema: string;
  readonly stream: Stream;
  readonly options: StreamOptions;
  /** Tables and views of the stream. */
  readonly catalog: Catalog;
  /** Columns of the table and view of type `char(n)`, which are padded with blanks. */
  readonly padded: ReadonlySet<string>;
  /** Zoned columns of these tables and views, by `Relation.sql`. */
  readonly zones: ReadonlyMap<string, ZonedColumns>;
  /** Columns that are converted when they are written, by `Relation.sql`. */
  readonly writtenZones: ReadonlyMap<string, ZonedColumns>;
  /** Zone of a column of the table or view, or of a list of the stream. */
  zoneOf(column: string, list?: string): string;
}

/** The table, view or query that is read for a stream, without its lists. */
export function viewOf({ dialect, schema, options }: Pick<Source, 'dialect' | 'schema' | 'options'>): Relation {
  const { query, view } = options;
  return query === undefined ? relationOf(dialect, view, schema) : relationOfQuery(query);
}

/** The table that changes of a stream are written to, quoted and with its schema. */
export function tableOf(source: Source): string {
  return relationIn(source, source.options.table).sql;
}

/** A table, view or function that the stream names. */
export function relationIn({ dialect, schema }: Source, name: string): Relation {
  return relationOf(dialect, name, schema);
}

/** A cursor of a stream: of its rows (`list` is '') or of one of its lists. */
export interface ReadCursor {
  readonly list: string;
  /** `sql` of the table, view or query. */
  readonly table: string;
  readonly cursor: Cursor;
}

/** The cursor of the rows first, then those of the lists that have one. If there is none, all passes are full. */
export function cursorsOf(source: Source): ReadCursor[] {
  const { stream, options } = source;
  if (stream.cursor === undefined) return [];
  const own = { list: '', table: viewOf(source), name: stream.cursor };
  const lists = Object.entries(options.children).flatMap(([list, { table, cursor }]) =>
    cursor === undefined ? [] : [{ list, table: relationIn(source, table), name: cursor }],
  );
  return [own, ...lists].map(({ list, table, name }) => {
    const zone = list === '' ? source.zoneOf(name) : source.zoneOf(name, list);
    return { list, table: table.sql, cursor: cursorOf(source, table, name, zone) };
  });
}

/** Columns of a table of the stream whose values are in a zone. */
export function zonesIn({ zones }: Source, table: string): ZonedColumns {
  return zones.get(table) ?? NO_ZONES;
}

/** Columns of a table of the stream whose values are converted when they are written. */
export function writtenZonesIn({ writtenZones }: Source, table: string): ZonedColumns {
  return writtenZones.get(table) ?? NO_ZONES;
}

/** The text that identifies a row of the stream. */
export function keyIn(source: Source, row: Row): string {
  return keyOf(row, source.stream.key, source.padded);
}
