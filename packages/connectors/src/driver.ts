import type { Json } from './json.ts';
import type { Passthrough } from './passthrough/passthrough.ts';
import type { Stream } from './platform.ts';
import type { ScalarType } from './scalar-type.ts';
import type { SystemCatalog } from './system-catalog.ts';

/**
 * One row of a connected system as plain JSON. Drivers decode their own wire types: a decimal is the text "358.00", a date
 * "2026-11-20", a timestamp "2026-11-20T09:30:00.000Z" (with another offset where the system keeps it in its own zone).
 */
export type Row = Record<string, unknown>;

/**
 * Property of an element of a written list: the key of the existing row that it changes, as the list contains it when it is
 * read. Its other properties are the changes. An element without it is a new row.
 */
export const ROW_KEY = '@key';

/** A row with the text that identifies it within its stream; this text becomes `_idValue`. */
export interface RawRow {
  readonly key: string;
  readonly row: Row;
}

/** A column (or field) of a stream, with its type as named in the system. */
export interface Column {
  readonly name: string;
  readonly type: string;
  /** Type and limits of its values. Absent if they are lists, objects or bytes, which cannot be custom fields. */
  readonly scalar?: ScalarType;
  /** Set if writes cannot set it, for example because the system computes it. */
  readonly isReadOnly?: true;
  /** Set if every row has a value, so that writes cannot clear it. */
  readonly isRequired?: true;
  /** What a foreign key of this column alone refers to. Absent if there is none, or the system does not report it. */
  readonly refersTo?: ReferredColumn;
}

/** A column of another table that identifies the row to which a foreign key refers. */
export interface ReferredColumn {
  /** Name of the table, as in `SystemTable`. */
  readonly table: string;
  readonly column: string;
}

/**
 * One open session with a connected system. Its methods cover what every protocol can do: sign in, read all rows of a
 * stream, read one row. Everything else is an optional part, absent if the protocol does not have it; `Protocol.parts` lists
 * them before a session is opened, so that platforms and mappings that need more are refused when
 * they are loaded.
 *
 * Every method throws `SystemError`, and nothing else, if the system does not carry out a request.
 */
export interface Driver {
  /** Milliseconds after which a call that was sent can no longer take effect, even if its response was lost. */
  readonly settleAfterMs?: number;
  /** Checks that the system can be reached with the settings and accepts the credentials. Changes nothing. */
  check(): Promise<void>;
  /** One page of a pass over all rows of a stream. */
  pull(request: PullRequest): Promise<PulledPage>;
  /** One row as it is now; null if it does not exist. */
  read(stream: Stream, key: string): Promise<Row | null>;
  /**
   * A value that differs after every change to the rows of a stream, found without reading them. If a stream without a cursor still
   * has the value that it had before the last pass, a scheduled run does not read it. Absent if the system has none.
   */
  version?(stream: Stream): Promise<Json>;
  /** What a stream is read from, for messages, such as the name of a file. Absent if the name of the stream is enough. */
  origin?(stream: Stream): string;
  /** Ends the session. Calls in progress may fail. */
  close(): Promise<void>;
  readonly changes?: RowChanges;
  readonly writes?: RowWrites;
  readonly actions?: RowActions;
  readonly contents?: RowContents;
  readonly discover?: Discovery;
  readonly passthrough?: Passthrough;
}

/** Names of the optional parts of a driver. */
const driverParts = ['changes', 'writes', 'actions', 'contents', 'discover', 'passthrough'] as const;

export type DriverPart = (typeof driverParts)[number];

/** What to read next from a stream. */
export interface PullRequest {
  readonly stream: Stream;
  /** Where to continue this pass (`PulledPage.next`); null at its beginning. */
  readonly from: Json | null;
  /** Number of rows requested; a driver may return fewer. */
  readonly limit: number;
  readonly signal?: AbortSignal;
}

/** Some rows of a stream, in the order of the pass. */
export interface PulledPage {
  readonly rows: readonly RawRow[];
  /** Where to continue this pass, even after a restart of the process; null if the pass has ended. */
  readonly next: Json | null;
}

/** Reads rows that changed since an earlier pass. Without this part, streams have full passes only, and no `cursor`. */
export interface RowChanges {
  /**
   * The point in time, version or token from which the next pass must read, taken before a pass begins and stored when
   * it has ended. `previous` is the one stored by the previous pass, null if there is none.
   */
  mark(stream: Stream, previous?: Json | null): Promise<Json>;
  /** One page of a pass over the rows that were created or changed since a mark. */
  pull(request: ChangesRequest): Promise<ChangedPage>;
  /**
   * Keys of the rows that the system reports as deleted, as far back as it reports them, including rows that it still has. Absent
   * if it reports none.
   */
  reported?(stream: Stream): Promise<readonly string[]>;
}

export interface ChangesRequest extends PullRequest {
  /** Mark of the last finished pass. */
  readonly since: Json;
}

export interface ChangedPage extends PulledPage {
  /** Keys of rows that the system reports as deleted, and no longer has. */
  readonly deleted?: readonly string[];
}

/** What a driver needs to recognize a change by this service when its outcome is unknown. */
export interface Intent {
  /** Differs for every call that changes something, and stays the same when that call is repeated. */
  readonly writeId: string;
  /** Result of `positionBeforeCreate`; null for everything but creates. */
  readonly position: Json;
  /** When the first attempt was sent, RFC 3339. */
  readonly sentAt: string;
}

/** Keys of the rows of lists, by the property of the row that contains the list. */
export type KnownLists = Readonly<Record<string, readonly string[]>>;

/** Creates, changes and deletes rows. `values` are columns or fields of the system, as mappings produce them. */
export interface RowWrites {
  /**
   * Position before a create with these values is sent, stored with the step, so that `findCreated` can distinguish our row from
   * older ones.
   */
  positionBeforeCreate(stream: Stream, writeId: string, values: Row): Promise<Json>;
  create(stream: Stream, values: Row, intent: Intent): Promise<{ key: string }>;
  /**
   * The row that an earlier `create` with this intent created; null if there is none. Throws `unconfirmed` if several rows may be
   * that of the create.
   */
  findCreated(stream: Stream, values: Row, intent: Intent): Promise<{ key: string } | null>;
  /**
   * Changes a row. `known` contains the keys of the rows in its lists, as known here, by the property of the row that contains
   * the list. If a list in `values` now has different rows in the system, throws `outdated` and changes nothing.
   */
  update(stream: Stream, key: string, values: Row, intent: Intent, known?: KnownLists): Promise<void>;
  /** Deletes a row; succeeds if it does not exist. */
  remove(stream: Stream, key: string, intent: Intent): Promise<void>;
}

/** Business actions of the system, such as posting an invoice. */
export interface RowActions {
  /** Applies `action` (the `act` of a mapping) to one row. */
  act(stream: Stream, key: string, action: string, values: Row, intent: Intent): Promise<void>;
}

/** Identifies the bytes of a row. */
export interface RowContent {
  /** Hexadecimal. */
  readonly sha256: string;
  readonly sizeBytes: number;
}

/** Bytes that belong to rows, such as the files of documents. The options of a stream state whether it has them. */
export interface RowContents {
  /** Null if the row has none. */
  find(stream: Stream, key: string): Promise<RowContent | null>;
  /** Bytes from `start` up to, not including, `end`, read on demand. */
  read(stream: Stream, key: string, range: { readonly start: number; readonly end: number }): AsyncIterable<Uint8Array>;
}

/** What the mappings of a stream use. */
export interface StreamUse {
  /** Names of actions (`act` of mappings). */
  readonly actions: readonly string[];
  readonly writes: ReadonlySet<WriteOperation>;
}

/** Kinds of writes. The request of a `replace` contains every writable field. */
export type WriteOperation = 'create' | 'update' | 'replace' | 'delete';

/** The findings of a probe of a stream. */
export interface StreamProbe {
  /** One row; null if the stream is empty. */
  readonly sample: RawRow | null;
  /** Actions that the system does not have or that are misconfigured, each with the reason. */
  readonly problems: readonly string[];
  /** Limitations that do not prevent reading, such as a module that is not installed. */
  readonly notes: readonly string[];
}

/** A table that writes change, as messages name it, with the names of its columns. */
export interface WrittenTable {
  readonly table: string;
  readonly columns: readonly string[];
}

/** The tables that writes of a stream change. */
export interface WrittenTables extends WrittenTable {
  /** Tables of the lists that are written with a row, by the property of the row that contains the list. */
  readonly lists: ReadonlyMap<string, WrittenTable>;
  /** Actions whose values are columns of the table; the values of other actions are separate parameters. */
  readonly actions: ReadonlySet<string>;
}

/** The structure of the system. Without this part, only one row of each stream can be probed. */
export interface Discovery {
  /** Tables that streams could read. Absent if the system cannot list them. */
  readonly catalog?: SystemCatalog;
  /**
   * Top-level names that rows of the stream can currently have, including children and joined names, without reading a
   * row; null if this system does not have the stream and it stays empty. Throws `rejected` with every table and column
   * that the stream names and the system lacks. With `infersColumns`, they can be those of `rows` that were read already.
   */
  columns(stream: Stream, rows?: readonly RawRow[]): Promise<readonly Column[] | null>;
  /** Whether `columns` are those of a sample of rows, so that others may exist. If absent, the system describes its streams. */
  readonly infersColumns?: true;
  /**
   * Relations to records whose values the rows contain, and whose changes incremental passes do not find: the rows keep the earlier
   * values until the next full pass. Absent if the system does not describe its relations.
   */
  unwatched?(stream: Stream): Promise<readonly string[]>;
  /** The tables that writes of a stream change, as read by `columns`. Absent if they are unknown. */
  written?(stream: Stream): Promise<WrittenTables>;
  /**
   * Reads one row of a stream and checks its columns, key and cursor and everything in `use`. Throws `rejected` with
   * everything that prevents reading the stream, such as a key that is not unique.
   */
  probe(stream: Stream, use: StreamUse): Promise<StreamProbe>;
}
