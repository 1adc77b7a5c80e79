import type { RowContents } from './content.ts';
import type { Json } from './json.ts';
import type { Stream } from './platform.ts';

/**
 * One row as the connected system said it, as plain JSON: drivers decode their own wire types (a decimal is the text
 * "358.00", a date "2026-11-20", a timestamp "2026-11-20T09:30:00.000Z", with another offset where the system keeps it in
 * a zone of its own).
 */
export type Row = Record<string, unknown>;

/** A row with the text that names it within its stream; this text becomes `_idValue`. */
export interface RawRow {
  readonly key: string;
  readonly row: Row;
}

/** What to read next of a stream. */
export interface PullRequest {
  readonly stream: Stream;
  /** `full` reads every row, `incremental` those that changed since `since`. */
  readonly mode: 'full' | 'incremental';
  /** Mark of the last finished pass (see `Driver.mark`); null before the first. */
  readonly since: Json | null;
  /** Where to continue this pass (`PulledPage.next`); null at its beginning. */
  readonly from: Json | null;
  /** Rows wanted; a driver may answer with fewer. */
  readonly limit: number;
  readonly signal?: AbortSignal;
}

/** Some rows of a stream, in the order of the pass. */
export interface PulledPage {
  readonly rows: readonly RawRow[];
  /** Keys that the system itself reports as deleted (streams with `deletes: native`). */
  readonly deleted?: readonly string[];
  /** Where to continue this pass; null: the pass is over. Survives restarts of the process. */
  readonly next: Json | null;
}

/** What the driver needs to recognise a change of ours, should its outcome be lost. */
export interface Intent {
  /** Differs for every call that changes something and stays the same when that call is repeated. */
  readonly writeId: string;
  /** Answer of `prepareCreate`; null for everything but creates. */
  readonly prepared: Json;
  /** When the first attempt was sent, RFC 3339. */
  readonly sentAt: string;
}

/** A column (or field) of a stream, its type in the system's own words. */
export interface Column {
  readonly name: string;
  readonly type: string;
}

/** What was seen of a stream when it was tried. */
export interface StreamProbe {
  /** One row; null: the stream is empty. */
  readonly sample: RawRow | null;
  /** Of the actions asked for, those that the system does not have or that are misconfigured, each with the reason. */
  readonly problems: readonly string[];
  /** What works, but not as well as it could, such as a module that is not installed. */
  readonly notes: readonly string[];
}

/**
 * One open link to a connected system. Every method throws `SystemError`, and nothing else, when the system does not do
 * what it was asked.
 */
export interface Driver {
  /** Milliseconds after which a call that was sent can no longer take effect, though nobody heard its outcome. */
  readonly settleAfterMs?: number;
  /** Proves that the settings lead to the system and that it lets us in. */
  check(): Promise<void>;
  /**
   * Top-level names that rows of a stream can have now, children and joined names included, without reading a row; null
   * where the protocol cannot say, or where this system does not have the stream and it stays empty. Throws `rejected`
   * with every table and column that the stream names and the system lacks.
   */
  columns(stream: Stream): Promise<readonly Column[] | null>;
  /**
   * Reads one row of a stream and proves that its columns, key, cursor and `actions` exist. Throws `rejected` with
   * everything that keeps the stream from being read, such as a key that several rows have.
   */
  probe(stream: Stream, actions: readonly string[]): Promise<StreamProbe>;
  pull(request: PullRequest): Promise<PulledPage>;
  /** High-water mark to store when a pass that began now has ended; `previous` is the one stored before. */
  mark(stream: Stream, previous?: Json | null): Promise<Json>;
  /** The row as it is now; null: gone. */
  read(stream: Stream, key: string): Promise<Row | null>;
  /** Absent where the protocol has no files. */
  readonly contents?: RowContents;
  /** Position before a create is sent, stored with the step, so that `findCreated` can tell ours from older rows. */
  prepareCreate(stream: Stream, writeId: string): Promise<Json>;
  create(stream: Stream, values: Row, intent: Intent): Promise<{ key: string }>;
  /** The row that an earlier `create` with this intent made; null: it made none. */
  findCreated(stream: Stream, values: Row, intent: Intent): Promise<{ key: string } | null>;
  update(stream: Stream, key: string, values: Row, intent: Intent): Promise<void>;
  remove(stream: Stream, key: string, intent: Intent): Promise<void>;
  /** Does what the system calls `action` (the `act` of a mapping) to one of its rows. */
  act(stream: Stream, key: string, action: string, values: Row, intent: Intent): Promise<void>;
  close(): Promise<void>;
}
