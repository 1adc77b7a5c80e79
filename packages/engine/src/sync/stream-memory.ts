import type { Json, MissingColumn, Stream } from '@unified/connectors';
import { type ConnectionModel, mappingsOf } from '../model/connection-model.ts';
import type { ColumnChange, ColumnTypes } from './column-changes.ts';

/** What is stored about a stream between passes. */
export interface StreamMemory {
  /** The driver's high-water mark of the last finished pass; null before the first. */
  readonly mark: Json | null;
  /** Start of the last full pass that finished, RFC 3339. */
  readonly fullAt: string | null;
  /** Hashes of the mappings by which the records were derived, by entity. */
  readonly mappings: Readonly<Record<string, string>>;
  /** Hashes of the mappings that were last compared with the columns of the stream, by entity. */
  readonly compared: Readonly<Record<string, string>>;
  /** Paths of these mappings that match no column. */
  readonly missing: readonly MissingColumn[];
  /** Types of the columns of the stream as the system reported them last, by name; null: it never did. */
  readonly columns: ColumnTypes | null;
  /** The options of the stream with which it had these columns; absent if an earlier release stored them. */
  readonly options?: Stream['options'];
  /** What changed in the columns, newest first. */
  readonly changes: readonly ColumnChange[];
  /** Whether a column that a mapping reads disappeared, so that the stream is not read. */
  readonly isBlocked: boolean;
  /** Whether a full pass began whose columns have not been compared with its rows yet. */
  readonly isComparisonOwed?: boolean;
  /** Rows that the last full pass did not find and did not delete either, because they were too many; null: none. */
  readonly withheld: WithheldDeletes | null;
  /** Whether a full pass that was wanted failed and will not be continued, so that the next pass must be full. */
  readonly isFullOwed?: boolean;
  /** A derivation that has not ended; null: none. */
  readonly deriving: Deriving | null;
}

/** Numbers of rows of a stream: those that disappeared, and all that it had. */
export interface WithheldDeletes {
  readonly missing: number;
  readonly rows: number;
}

/** How far the records of a stream have been derived again. */
export interface Deriving {
  /** Hashes of the mappings by which they are derived, by entity. */
  readonly mappings: Readonly<Record<string, string>>;
  /**
   * Hashes of the mappings by which the records of the remaining rows were derived, by entity. Absent in derivations that an
   * earlier release began.
   */
  readonly from?: Readonly<Record<string, string>>;
  /** Entities that the stream no longer has. */
  readonly gone: readonly string[];
  /** Key of the last row that was derived. */
  readonly after: string;
  readonly rows: number;
  /** Number of rows when the derivation began. */
  readonly totalRows: number;
}

const nothing: StreamMemory = {
  ...{ mark: null, fullAt: null, mappings: {}, compared: {}, missing: [] },
  ...{ columns: null, changes: [], isBlocked: false, withheld: null, deriving: null },
};

/** Reads `cursor` of a sync state. */
export function memoryOf(cursor: unknown): StreamMemory {
  return typeof cursor === 'object' && cursor !== null ? { ...nothing, ...cursor } : nothing;
}

/** Hashes of the mappings of a stream, by entity. */
export function mappingHashes(model: ConnectionModel, stream: Stream): Record<string, string> {
  return Object.fromEntries(mappingsOf(model, stream.name).map(({ entity, hash }) => [entity, hash]));
}

/** Whether all mappings of a stream are among those that were stored. */
export function areNoted(hashes: Readonly<Record<string, string>>, noted: StreamMemory['mappings']): boolean {
  return Object.entries(hashes).every(([entity, hash]) => noted[entity] === hash);
}
