import type { Stream } from '../platform.ts';
import { SystemError } from '../system-error.ts';
import type { Catalog, Database, Relation, SqlDialect } from './dialect/sql-dialect.ts';
import type { StreamOptions } from './options.ts';
import { relationOf } from './relation.ts';
import { type Source, viewOf } from './source.ts';
import { writtenZones, zonedColumns } from './zones.ts';

/** The streams of one system, with their tables as the catalog describes them: looked up once, until `forget`. */
export class Sources {
  readonly #dialect: SqlDialect;
  readonly #database: Pick<Database, 'query' | 'describe'>;
  readonly #schema: string;
  readonly #timezone: string | undefined;
  readonly #options: ReadonlyMap<string, StreamOptions>;
  readonly #known = new Map<string, Promise<Omit<Source, 'stream'>>>();

  /**
   * @param timezone zone of the platform or connection; defaults to that of the database
   * @param options options of the streams, by name
   */
  constructor(
    dialect: SqlDialect,
    database: Pick<Database, 'query' | 'describe'>,
    schema: string,
    timezone: string | undefined,
    options: ReadonlyMap<string, StreamOptions>,
  ) {
    this.#dialect = dialect;
    this.#database = database;
    this.#schema = schema;
    this.#timezone = timezone;
    this.#options = options;
  }

  options(stream: Stream): StreamOptions {
    const options = this.#options.get(stream.name);
    if (!options) throw new SystemError('rejected', `There is no stream ${stream.name}`);
    return options;
  }

  async of(stream: Stream): Promise<Source> {
    const known = this.#known.get(stream.name) ?? this.#load(this.options(stream));
    this.#known.set(stream.name, known);
    try {
      return { ...(await known), stream };
    } catch (error) {
      this.#known.delete(stream.name);
      throw error;
    }
  }

  /** Looks up the stream again, because tables can get new columns. */
  forget(stream: Stream): void {
    this.#known.delete(stream.name);
  }

  async #load(options: StreamOptions): Promise<Omit<Source, 'stream'>> {
    const { query } = this.#database;
    const catalog = await this.#lookUp(options);
    const fallback = options.timezone ?? this.#timezone ?? (await this.#dialect.catalog.zone(query));
    const zoneOf = (column: string, list?: string) =>
      (list === undefined ? options.columns[column]?.timezone : options.children[list]?.timezone) ?? fallback;
    const lists = Object.entries(options.children).map(
      ([list, { table }]) => [this.#relation(table).sql, list] as const,
    );
    const own = [this.#viewOf(options), this.#relation(options.table)].map(({ sql }) => [sql, undefined] as const);
    const tables = [...lists, ...own];
    const zones = new Map(
      tables.map(([table, list]) => [table, zonedColumns(catalog, table, (column) => zoneOf(column, list))]),
    );
    const written = new Map(
      tables.map(([table, list]) => [
        table,
        writtenZones(this.#dialect, catalog, table, (column) => zoneOf(column, list)),
      ]),
    );
    const named = new Set([...zones.values()].flatMap((columns) => [...columns.values()]));
    if (named.size > 0) await this.#dialect.catalog.checkZones?.(query, [...named]);
    const columns = own.flatMap(([table]) => catalog.get(table) ?? []);
    const padded = new Set(columns.filter(({ isPadded }) => isPadded).map(({ name }) => name));
    return {
      dialect: this.#dialect,
      schema: this.#schema,
      options,
      catalog,
      padded,
      zones,
      writtenZones: written,
      zoneOf,
    };
  }

  #relation(name: string): Relation {
    return relationOf(this.#dialect, name, this.#schema);
  }

  #viewOf(options: StreamOptions): Relation {
    return viewOf({ dialect: this.#dialect, schema: this.#schema, options });
  }

  /** Columns of the tables and of the view or query of a stream. */
  async #lookUp(options: StreamOptions): Promise<Catalog> {
    const { query, view, table, children } = options;
    const names = new Set([
      ...(query === undefined ? [view, table] : []),
      ...Object.values(children).map((child) => child.table),
    ]);
    const relations = [...names].map((name) => this.#relation(name));
    const tables = await this.#dialect.catalog.lookUp(this.#database.query, relations);
    if (query === undefined) return tables;
    const { sql } = this.#viewOf(options);
    return new Map([...tables, [sql, await this.#database.describe(`SELECT * FROM ${sql} AS t`)]]);
  }
}
