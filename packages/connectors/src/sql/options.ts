import { driverOptions } from '../driver-options.ts';
import type { Platform, Stream } from '../platform.ts';
import type { Generated } from './generated.ts';
import schema from './options.schema.json' with { type: 'json' };
import { postgresDialect } from './postgres/postgres-dialect.ts';

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
   * Column that increases with every change of the rows of the list; absent: their changes are noticed when the row itself
   * changes.
   */
  readonly cursor?: string;
  /** Zone of its columns of type `timestamp`; default: that of the stream. */
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

export interface StreamOptions {
  readonly table: string;
  readonly view: string;
  readonly children: Readonly<Record<string, Child>>;
  readonly actions: Readonly<Record<string, ActionOptions>>;
  readonly content?: string;
  /** Zone of columns of type `timestamp`; default: that of the platform. */
  readonly timezone?: string;
  readonly columns: Readonly<Record<string, { readonly timezone?: string }>>;
  readonly generated: Readonly<Record<string, Generated>>;
}

export interface Journal {
  readonly table: string;
  readonly writeId: string;
  readonly object: string;
  readonly key: string;
}

export interface PlatformOptions {
  /** Schema of tables that name none; default: that of the dialect. */
  readonly schema?: string;
  readonly journal?: Journal;
  readonly statementTimeoutMs: number;
  readonly cursorOverlapSeconds: number;
  /** Zone of columns of type `timestamp`; default: that of the database. */
  readonly timezone?: string;
}

/** Options of platforms and streams, checked by their schema. */
export const sqlOptions = driverOptions<Partial<PlatformOptions>, Partial<StreamOptions>>({
  ...schema,
  $defs: { ...schema.$defs, settings: withUrl(schema.$defs.settings) },
});

/** Addresses have the form of the dialect. */
function withUrl(settings: typeof schema.$defs.settings) {
  return { ...settings, properties: { ...settings.properties, url: postgresDialect.url } };
}

/** Options of the platform, with defaults. @throws DefinitionError */
export function platformOptions(platform: Platform): PlatformOptions {
  return { statementTimeoutMs: 30_000, cursorOverlapSeconds: 30, ...sqlOptions.platform(platform) };
}

/** Options of a stream, with defaults. @throws DefinitionError */
export function streamOptions(stream: Stream, { id }: Platform): StreamOptions {
  const { name } = stream;
  const given = sqlOptions.stream(stream, id);
  const { table = name, view = table, children = {}, actions = {}, columns = {}, generated = {}, ...rest } = given;
  return { table, view, children, actions, columns, generated, ...rest };
}
