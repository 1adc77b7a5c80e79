import type { Column, Row } from '../../driver.ts';
import type { AddressRules } from '../../net/address-guard.ts';
import type { DriverEvents } from '../../protocol.ts';
import type { SystemColumn, SystemTable } from '../../system-catalog.ts';

/**
 * Runs one statement and returns its rows. Parameters are `$1`, `$2`, … in the text, and may be repeated; a dialect whose
 * server spells them differently translates them. Values are never part of the text. `columns` are those that take the values,
 * so that a failure can name one. Throws `SystemError`.
 */
export type Query = (text: string, values?: readonly unknown[], columns?: readonly string[]) => Promise<Row[]>;

/** How a database is accessed. */
export interface DatabaseOptions {
  /** Applies to each statement. */
  readonly statementTimeoutMs: number;
  /** Whether the database refuses every change from these connections. Default false. */
  readonly readOnly?: boolean;
  /** Bytes that the database may send on all connections together. Unlimited by default. */
  readonly maxReceivedBytes?: number;
  readonly events: DriverEvents;
  /** Addresses that may be called. */
  readonly rules: AddressRules;
}

/** A few connections to one database, opened lazily. All errors are `SystemError`s. */
export interface Database {
  readonly query: Query;
  /** Columns of the rows of a SELECT, none of which is read. Throws `SystemError`. */
  describe(select: string): Promise<readonly CatalogColumn[]>;
  /**
   * Runs an arbitrary SELECT from a client in a transaction that can only read, and returns at most its first `limit` rows. The
   * connection must not be used for anything else afterwards. Absent if the database cannot limit what such a statement does.
   * Throws `SystemError`.
   */
  select?(text: string, values: readonly unknown[], limit: number): Promise<Row[]>;
  /** Runs `work` in one transaction; an exception rolls everything back. */
  transaction<T>(work: (query: Query) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** A table, view or function of the system. */
export interface Relation {
  readonly schema: string;
  readonly name: string;
  /** Schema and name, quoted for a statement. */
  readonly sql: string;
}

/** Kinds of values that changes are found by: `local` and `day` are in a zone, and the system counts `number`. */
export type CursorKind = 'instant' | 'local' | 'day' | 'number';

/** A column of a table or view. */
export interface CatalogColumn extends Column {
  /** Null if the values cannot be a cursor. */
  readonly kind: CursorKind | null;
  /** Whether its values are padded with blanks. */
  readonly isPadded: boolean;
  /** Set if the database generates a number for a new row that has no value, which `SqlSpelling.generatedNumber` returns. */
  readonly isNumbered?: true;
  /** Set if a value can be stored with fewer digits than were sent, so that it is not found by the value that was sent. */
  readonly isRounded?: true;
  /** Set if values cannot be looked up by their text form, which pages continue from. Such a column cannot be part of a key. */
  readonly isNotFoundByText?: true;
}

/** Columns of tables and views, by `Relation.sql`. Those that do not exist are absent. */
export type Catalog = ReadonlyMap<string, readonly CatalogColumn[]>;

/** A table or view, as the catalog lists it. */
export interface ListedTable extends Omit<SystemTable, 'name' | 'label'> {
  readonly schema: string;
  readonly name: string;
}

/** A column, as the catalog lists it. `place` increases in the order of columns in the table. */
export interface ListedColumn extends Omit<SystemColumn, 'label' | 'refersTo'> {
  readonly place: number;
  /** What a foreign key of this column alone refers to; null if there is none. */
  readonly refersTo: { readonly schema: string; readonly table: string; readonly column: string } | null;
}

export type Right = 'INSERT' | 'UPDATE' | 'DELETE';

/** The cause of a failed statement, if `SystemErrorKind` is not specific enough. */
export type FailureCause = 'unique-key' | 'foreign-key' | 'timeout' | 'no-schema' | 'number-range';

/** SQL text that a dialect builds; the caller adds its parameters. */
export interface PageText {
  /** After SELECT. */
  readonly columns: string;
  /** From FROM to WHERE. */
  readonly from: string;
  readonly order: readonly string[];
  readonly limit: number;
}

/** Builds SQL from quoted names and expressions. Parameters and zones are expressions: `$1`. */
export interface SqlSpelling {
  /** A name as an identifier. */
  quote(name: string): string;
  asText(expression: string): string;
  /** Whether two expressions have the same value; null equals null. */
  isSame(left: string, right: string): string;
  now(): string;
  /** A parameter with an RFC 3339 text in UTC, as an instant. */
  instant(parameter: string): string;
  /** The local time of a zone at an instant. */
  localTime(instant: string, zone: string): string;
  /** The instant of a local time in a zone. */
  instantOf(local: string, zone: string): string;
  /** The earliest local time in a zone at or after an instant, even if clocks are about to be set back. */
  earliestLocalTime(instant: string, zone: string): string;
  asDay(local: string): string;
  /** A JSON array of expressions as strings. */
  textList(expressions: readonly string[]): string;
  /** Rows that come after a position in an order (`>`), or not after it (`<=`). A missing value is `NULL` in the position. */
  compare(order: readonly string[], operator: '>' | '<=', position: readonly string[]): string;
  /** A subquery that returns the JSON array of the key texts (`joinKey`) of its rows, in their order; `[]` if there are none. */
  keyList(key: readonly string[], from: string): string;
  /** Rows whose columns are equal to one of the rows of a subquery. */
  isIn(columns: readonly string[], subquery: string): string;
  page(page: PageText): string;
  /**
   * Without columns, every column gets its default. Returns the columns `returning` of the new row, unless `generatedNumber` is
   * set.
   */
  insert(table: string, columns: readonly string[], values: readonly string[], returning: readonly string[]): string;
  /**
   * Set if INSERT and UPDATE return no rows, which are then read afterwards: an expression for the number that the last INSERT
   * on the connection generated.
   */
  readonly generatedNumber?: string;
  /** Returns the changed rows, unless `generatedNumber` is set. */
  update(table: string, assignments: string, condition: string): string;
  /** Reads rows and locks them until the end of the transaction. */
  lock(table: string, condition: string): string;
  /** Calls a function with a text and a JSON object. */
  call(name: string, key: string, values: string): string;
  /** Columns `size` and `sha256` (hexadecimal) of the bytes in a column. */
  digest(column: string): string;
  /** A part of the bytes in a column, hexadecimal; `start` is counted from 0. */
  bytes(column: string, start: number, length: number): string;
}

/** Queries on the catalog and the activity of a database. */
export interface SqlCatalog {
  /** Looks up tables and views, whether or not their rows may be read. */
  lookUp(query: Query, relations: readonly Relation[]): Promise<Catalog>;
  /**
   * Tables and views of every schema that the login can read, ordered by schema and name, after one of them; without
   * the schemas of the database itself, and without partitions, whose rows are read from the partitioned table.
   */
  tables(query: Query, after: Pick<Relation, 'schema' | 'name'> | null, limit: number): Promise<ListedTable[]>;
  /** Columns of a table or view that the login can read, after the column at a place. */
  columns(query: Query, relation: Relation, after: number, limit: number): Promise<ListedColumn[]>;
  /** The zone used by programs that write local times, if the platform does not name one. */
  zone(query: Query): Promise<string>;
  /** Throws unless local times in these zones can be converted. Absent if statements with an unknown zone fail anyway. */
  checkZones?(query: Query, zones: readonly string[]): Promise<void>;
  /** Whether no two rows of a table can have the same values in columns; false for views. */
  isUnique(query: Query, relation: Relation, columns: readonly string[]): Promise<boolean>;
  missingRights(query: Query, relation: Relation, rights: readonly Right[]): Promise<Right[]>;
  /** Why the login cannot use a sequence; null if it can. Throws if it does not exist. */
  sequenceRefusal(query: Query, sequence: Relation): Promise<string | null>;
  /** Throws unless the function can be called with a key and values, or (`generate`) without parameters. Does not call it. */
  checkFunction(query: Query, name: Relation, use: 'act' | 'generate'): Promise<void>;
  /** Throws unless the statement can be run. Does not run it. */
  plan(query: Query, text: string, values?: readonly unknown[]): Promise<void>;
  /** The next number of a sequence. */
  nextOf(query: Query, sequence: Relation): Promise<string>;
  /** One more than the highest number after a prefix; other creates of the service wait until the end of the transaction. */
  afterHighest(query: Query, table: string, column: string, prefix: string): Promise<string>;
}

/** Changes that other transactions may still commit. */
export interface TransactionsInFlight {
  /**
   * An instant at least `overlapSeconds` ago and before every transaction that may still commit rows stamped with the
   * time of its own start; in UTC with a "Z".
   */
  safeInstant(query: Query, overlapSeconds: number): Promise<string>;
  /**
   * Ids of the open transactions of other sessions. If two calls share no id, all transactions of the first call have ended in
   * between.
   */
  ids(query: Query): Promise<string[]>;
  /** Message about transactions that the login cannot see, for the user who connects a system. */
  notes(query: Query): Promise<string[]>;
}

/** Features that platforms can use through their options, and that not every database has. */
export type Feature = 'functions' | 'sequences' | 'highest numbers' | 'time zones' | 'contents';

/** The differences between databases. The rest of `sql/` is the same for all. */
export interface SqlDialect {
  /** Name in the option `dialect` of platforms. */
  readonly name: string;
  /** Display name of the database. */
  readonly title: string;
  /** A platform that needs one of these is refused when it is loaded. */
  readonly lacks: ReadonlySet<Feature>;
  /** JSON Schema of the setting `url`. */
  readonly url: { readonly type: 'string'; readonly pattern: string; readonly examples: readonly string[] };
  /** Which columns can be cursors; completes a message. */
  readonly cursorRule: string;
  /** Schema of tables without one, if neither the platform nor the settings name it. */
  defaultSchema(url: string): string;
  /** Connects lazily. */
  open(url: string, options: DatabaseOptions): Database;
  /** Whether columns of times take RFC 3339 texts. Otherwise, `SqlSpelling.instant` converts them. */
  readonly takesRfc3339: boolean;
  readonly spell: SqlSpelling;
  readonly catalog: SqlCatalog;
  readonly inFlight: TransactionsInFlight;
  causeOf(error: unknown): FailureCause | null;
  /** The message from the database. */
  wordsOf(error: unknown): string;
  /**
   * A failed write with a message for clients of the API; `table` is the name of the table of the write. Reads the
   * columns of a violated constraint from the catalog.
   */
  writeRefusal(query: Query, error: unknown, table: string): Promise<unknown>;
}
