import type { Scope } from './scope.ts';

/** Which bytes are meant: those of one content of one connection. */
export interface ContentPlace {
  readonly scope: Scope;
  readonly contentId: string;
}

/** Bytes from `start` up to, not including, `end`; both lie within the content. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** Where bytes lie. What they mean, and whether anybody needs them, is kept in the database in any case. */
export interface ContentStorage {
  /** Stores what comes, with bounded memory. When it rejects, `remove` still has to be called. */
  put(place: ContentPlace, bytes: AsyncIterable<Uint8Array>): Promise<void>;
  /** Gives the bytes as they are asked for. Throws when they are gone. */
  open(place: ContentPlace, range: ByteRange): AsyncIterable<Uint8Array>;
  /** Removes all there is, also what was stored in part; nothing is fine too. */
  remove(place: ContentPlace): Promise<void>;
}
