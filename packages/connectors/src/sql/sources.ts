import type { Stream } from '../platform.ts';
import { SystemError } from '../system-error.ts';
import { lookUp } from './catalog.ts';
import type { Query } from './database.ts';
import type { StreamOptions } from './options.ts';
import { type Relation, relationOf } from './relation.ts';
import type { Source } from './target.ts';
import { databaseZone, zonedColumns } from './zones.ts';

/** The streams of one system, with what its catalog says of their tables: looked up once, until `forget`. */
export class Sources {
  readonly #query: Query;
  readonly #schema: string;
  readonly #timezone: string | undefined;
  readonly #options: ReadonlyMap<string, StreamOptions>;
  readonly #known = new Map<string, Promise<Omit<Source, 'stream'>>>();

  /**
   * @param timezone that of the platform or connection; absent: that of the database
   * @param options those of the streams, by name
   */
  constructor(query: Query, schema: string, timezone: string | undefined, options: ReadonlyMap<string, StreamOptions>) {
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

  /** Has the stream looked up again, as tables gain columns. */
  forget(stream: Stream): void {
    this.#known.delete(stream.name);
  }

  async #load(options: StreamOptions): Promise<Omit<Source, 'stream'>> {
    const catalog = await lookUp(this.#query, relationsOf(this.#schema, options));
    const fallback = options.timezone ?? this.#timezone ?? (await databaseZone(this.#query));
    const zoneOf = (column: string, list?: string) =>
      (list === undefined ? options.columns[column]?.timezone : options.children[list]?.timezone) ?? fallback;
    const lists = Object.entries(options.children).map(
      ([list, { table }]) => [relationOf(table, this.#schema).sql, list] as const,
    );
    const own = [options.view, options.table].map((name) => [relationOf(name, this.#schema).sql, undefined] as const);
    const zones = new Map(
      [...lists, ...own].map(([table, list]) => [
        table,
        zonedColumns(catalog, table, (column) => zoneOf(column, list)),
      ]),
    );
    const columns = own.flatMap(([table]) => catalog.get(table) ?? []);
    const padded = new Set(columns.filter(({ base }) => base === 'bpchar').map(({ name }) => name));
    return { schema: this.#schema, options, catalog, padded, zones, zoneOf };
  }
}

function relationsOf(schema: string, { view, table, children }: StreamOptions): Relation[] {
  const names = new Set([view, table, ...Object.values(children).map((child) => child.table)]);
  return [...names].map((name) => relationOf(name, schema));
}
