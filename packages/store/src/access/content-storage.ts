import type { Scope } from './scope.ts';

/** Identifies the stored bytes of a file of one connection. */
export interface ContentPlace {
  readonly scope: Scope;
  readonly contentId: string;
}

/** Bytes from `start` up to, not including, `end`; both are within the file. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** Storage of bytes. Which content they belong to, and whether it is still needed, is always stored in the database. */
export interface ContentStorage {
  /** Stores the bytes, with bounded memory. When it rejects, `remove` must still be called. */
  put(place: ContentPlace, bytes: AsyncIterable<Uint8Array>): Promise<void>;
  /** Returns the bytes as they are consumed. Throws when they do not exist. */
  open(place: ContentPlace, range: ByteRange): AsyncIterable<Uint8Array>;
  /** Removes all bytes, including a part of an interrupted upload. Does nothing if there are none. */
  remove(place: ContentPlace): Promise<void>;
}
