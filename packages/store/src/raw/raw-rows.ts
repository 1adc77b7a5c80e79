import { type Scope, sessionOf } from '../access/scope.ts';

/** One row as the connected system returned it. */
export interface RawRow {
  readonly key: string;
  readonly row: Record<string, unknown>;
}

/** One reading of a stream from its beginning to its end. */
export interface Pass {
  /** UUID. */
  readonly id: string;
  /** RFC 3339; before the first page was requested. */
  readonly startedAt: string;
}

/** Rows by key; rows that were deleted in the connected system, or never read, are left out. */
export async function rawRows(scope: Scope, stream: string, keys: readonly string[]): Promise<RawRow[]> {
  return sessionOf(scope).run<RawRow>(
    `select key, row from unified.raw_rows
      where connection_id = $1 and stream = $2 and key = any($3::text[]) and "deletedAt" is null order by key`,
    [scope.connectionId, stream, keys],
  );
}

/** The next rows of a stream in the order of their keys; `after` is '' at the beginning. Used to derive records again. */
export async function rawRowsAfter(scope: Scope, stream: string, after: string, limit: number): Promise<RawRow[]> {
  return sessionOf(scope).run<RawRow>(
    `select key, row from unified.raw_rows
      where connection_id = $1 and stream = $2 and key > $3 and "deletedAt" is null order by key limit $4::int`,
    [scope.connectionId, stream, after, limit],
  );
}

/** Streams that have rows, with their number. */
export async function rawStreams(scope: Scope): Promise<{ stream: string; rows: number }[]> {
  return sessionOf(scope).run<{ stream: string; rows: number }>(
    `select stream, count(*) as rows from unified.raw_rows
      where connection_id = $1 and "deletedAt" is null group by stream order by stream`,
    [scope.connectionId],
  );
}
