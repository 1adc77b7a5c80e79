/** One row as the connected system said it. */
export interface RawRow {
  readonly key: string;
  readonly row: Record<string, unknown>;
}

/** One reading of a stream from its beginning to its end. */
export interface Pass {
  /** UUID. */
  readonly id: string;
  /** RFC 3339; before the first page was asked for. */
  readonly startedAt: string;
}
