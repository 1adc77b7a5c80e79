import { type DriverOptions, driverOptions } from '../driver-options.ts';
import { DefinitionError } from '../mapping/definition-error.ts';
import type { Platform, Stream } from '../platform.ts';
import type { SqlDialect } from './dialect/sql-dialect.ts';
import type { Generated } from './generated.ts';
import { dialectsOf, knownDialects } from './known-dialects.ts';
import { lackedFeatures } from './lacked-features.ts';
import schema from './options.schema.json' with { type: 'json' };
import { queryProblems } from './query-problems.ts';
import { type QueryOption, queryFor } from './query-text.ts';

type Scalar = string | number | boolean | null;

/** Rows of another table that belong to a row. */
export interface Child {
  readonly table: string;
  readonly parent: Readonly<Record<string, string>>;
  readonly where?: Readonly<Record<string, Scalar>>;
  readonly key: readonly string[];
  readonly number?: string;
  readonly written?: boolean;
  /**
   * Column that increases with every change to rows of the list. Without it, their changes are noticed when the row itself
   * changes.
   */
  readonly cursor?: string;
  /** Zone of its columns of type `timestamp`. Defaults to the zone of the stream. */
  readonly timezone?: string;
}

/** What an action does to a row. */
export interface ActionOptions {
  readonly when?: { readonly column: string; readonly in: readonly Scalar[] };
  readonly refusal?: string;
  readonly requires?: readonly string[];
  readonly set?: Readonly<Record<string, Scalar>>;
  readonly now?: readonly string[];
  readonly call?: string;
}

export interface ColumnOptions {
  /** Zone of its values. */
  readonly timezone?: string;
  /** Whether its texts are JSON. */
  readonly json?: true;
}

export interface StreamOptions {
  readonly table: string;
  readonly view: string;
  /** A SELECT that is read instead of the view; the stream then has no table. */
  readonly query?: string;
  readonly children: Readonly<Record<string, Child>>;
  readonly actions: Readonly<Record<string, ActionOptions>>;
  readonly content?: string;
  /** Zone of columns of type `timestamp`. Defaults to the zone of the platform. */
  readonly timezone?: string;
  readonly columns: Readonly<Record<string, ColumnOptions>>;
  readonly generated: Readonly<Record<string, Generated>>;
}

/** Options of a stream as a platform states them. */
export type GivenStreamOptions = Partial<Omit<StreamOptions, 'query'>> & { readonly query?: QueryOption };

export interface Journal {
  readonly table: string;
  readonly writeId: string;
  readonly object: string;
  readonly key: string;
}

export interface PlatformOptions {
  /** Names of the databases that a system of the platform can have. */
  readonly dialect?: string | readonly string[];
  /** Schema of tables without one. Defaults to the schema of the dialect. */
  readonly schema?: string;
  readonly journal?: Journal;
  /** Whether the database refuses every change. Default false. */
  readonly readOnly?: boolean;
  readonly statementTimeoutMs: number;
  readonly cursorOverlapSeconds: number;
  /** Zone of columns of type `timestamp`. Defaults to the zone of the database. */
  readonly timezone?: string;
}

type SqlOptions = DriverOptions<Partial<PlatformOptions>, GivenStreamOptions>;

const $defs = { ...schema.$defs, dialect: { type: 'string', enum: knownDialects.map(({ name }) => name) } };

/** Options of platforms and streams, checked against their schema and the features of the platform's dialects. */
export const sqlOptions = checkedByDialect(
  driverOptions<Partial<PlatformOptions>, GivenStreamOptions>(
    { ...schema, $defs },
    { narrowed: ({ dialect }) => ({ url: addressIn(dialectsOf(dialect as PlatformOptions['dialect'])) }) },
  ),
);

/** Schema of the setting `url`, which has the form of one of the dialects. */
function addressIn(dialects: readonly SqlDialect[]) {
  const urls = dialects.map(({ url }) => url);
  return {
    type: 'string',
    pattern: urls.map(({ pattern }) => pattern).join('|'),
    examples: urls.flatMap(({ examples }) => examples),
  };
}

/** Refuses platforms that need a feature that one of their dialects lacks, and queries that cannot be used. */
function checkedByDialect(options: SqlOptions): SqlOptions {
  return {
    ...options,
    platform(platform) {
      const given = options.platform(platform);
      const streams = platform.streams.map((stream) => ({ stream, options: options.stream(stream, platform.id) }));
      const dialects = dialectsOf(given.dialect);
      const problems = [
        ...lackedFeatures(platform.id, dialects, given, streams),
        ...queryProblems(platform.id, dialects, streams),
      ];
      if (problems.length > 0) throw new DefinitionError(problems);
      return given;
    },
  };
}

/** Options of the platform, with defaults. @throws DefinitionError */
export function platformOptions(platform: Platform): PlatformOptions {
  return { statementTimeoutMs: 30_000, cursorOverlapSeconds: 30, ...sqlOptions.platform(platform) };
}

/** Options of a stream in a database, with defaults. @throws DefinitionError */
export function streamOptions(stream: Stream, { id }: Platform, dialect: SqlDialect): StreamOptions {
  const { name } = stream;
  const { query: queries, ...given } = sqlOptions.stream(stream, id);
  const { table = name, view = table, children = {}, actions = {}, columns = {}, generated = {}, ...rest } = given;
  const query = queryFor(dialect, queries);
  return { table, view, children, actions, columns, generated, ...(query !== undefined && { query }), ...rest };
}
