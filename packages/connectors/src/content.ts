import type { Stream } from './platform.ts';

/** What tells the bytes of one row from those of another. */
export interface RowContent {
  /** Hexadecimal. */
  readonly sha256: string;
  readonly sizeBytes: number;
}

/** Bytes that belong to rows, such as the files of documents. Which streams have them is said in their options. */
export interface RowContents {
  /** Null: the row has none. Throws `SystemError`. */
  find(stream: Stream, key: string): Promise<RowContent | null>;
  /** Bytes from `start` up to, not including, `end`, read as they are asked for. Throws `SystemError`. */
  read(stream: Stream, key: string, range: { readonly start: number; readonly end: number }): AsyncIterable<Uint8Array>;
}
