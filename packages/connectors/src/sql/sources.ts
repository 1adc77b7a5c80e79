import type { Stream } from '../platform.ts';
import { SystemError } from '../system-error.ts';
import type { Query, Relation, SqlDialect } from './dialect/sql-dialect.ts';
import type { StreamOptions } from './options.ts';
import { relationOf } from './relation.ts';
import type { Source } from './source.ts';
import { zonedColumns } from './zones.ts';

/** The streams of one system, with their tables as the catalog describes them: looked up once, until `forget`. */
export class Sources {
  readonly #dialect: SqlDialect;
  readonly #query: Query;
  readonly #schema: string;
  readonly #timezone: string | undefined;
  readonly #options: ReadonlyMap<string, StreamOptions>;
  readonly #known = new Map<string, Promise<Omit<Source, 'stream'>>>();

  /**
   * @param timezone that of the platform or connection; absent: that of the database
   * @param options those of the streams, by name
   */
  constructor(
    dialect: SqlDialect,
    query: Query,
    schema: string,
    timezone: string | undefined,
    options: ReadonlyMap<string, StreamOptions>,
  ) {
    this.#dialect = dialect;
    this.#query = query;
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
    const catalog = await this.#dialect.catalog.lookUp(this.#query, this.#relationsOf(options));
    const fallback = options.timezone ?? this.#timezone ?? (await this.#dialect.catalog.zone(this.#query));
    const zoneOf = (column: string, list?: string) =>
      (list === undefined ? options.columns[column]?.timezone : options.children[list]?.timezone) ?? fallback;
    const lists = Object.entries(options.children).map(
      ([list, { table }]) => [this.#relation(table).sql, list] as const,
    );
    const own = [options.view, options.table].map((name) => [this.#relation(name).sql, undefined] as const);
    const zones = new Map(
      [...lists, ...own].map(([table, list]) => [
        table,
        zonedColumns(catalog, table, (column) => zoneOf(column, list)),
      ]),
    );
    const named = new Set([...zones.values()].flatMap((columns) => [...columns.values()]));
    if (named.size > 0) await this.#dialect.catalog.checkZones?.(this.#query, [...named]);
    const columns = own.flatMap(([table]) => catalog.get(table) ?? []);
    const padded = new Set(columns.filter(({ isPadded }) => isPadded).map(({ name }) => name));
    return { dialect: this.#dialect, schema: this.#schema, options, catalog, padded, zones, zoneOf };
  }

  #relation(name: string): Relation {
    return relationOf(this.#dialect, name, this.#schema);
  }

  #relationsOf({ view, table, children }: StreamOptions): Relation[] {
    const names = new Set([view, table, ...Object.values(children).map((child) => child.table)]);
    return [...names].map((name) => this.#relation(name));
  }
}
