import { invalidCursor } from '../access/invalid-cursor.ts';
import { type Scope, sessionOf } from '../access/scope.ts';
import type { Addition } from './append-changes.ts';

/** One entry of the change log of a connection. */
export interface Change extends Addition {
  readonly seq: number;
  /** RFC 3339; when the service saw the change. */
  readonly at: string;
}

const POSITION = /^\d{1,18}$/;

/**
 * Up to `limit` changes after a cursor (`'0'` is before the first), oldest first, and the cursor to go on with; of these
 * `entities` only, where some are named. Numbers become visible in order (see `lockChangeCursor`), so a reader that goes on from
 * its cursor misses nothing. Throws SERVICE_INVALID_CURSOR for one that the log never returned: a position beyond its end, as
 * after the log was restored, would have the reader miss all that happens up to there.
 */
export async function changesAfter(
  scope: Scope,
  cursor: string,
  limit: number,
  entities: readonly string[] | null = null,
): Promise<{ changes: Change[]; cursor: string; hasMore: boolean }> {
  if (!POSITION.test(cursor)) throw invalidCursor();
  const rows = await sessionOf(scope).run<Change>(
    `select seq, entity, id, kind, fields, at from unified.changes
      where connection_id = $1 and seq > $2::bigint and ($4::text[] is null or entity = any($4)) order by seq limit $3::int`,
    [scope.connectionId, cursor, limit + 1, entities],
  );
  if (rows.length === 0 && BigInt(cursor) > BigInt(await latestChange(scope))) throw invalidCursor();
  const changes = rows.slice(0, limit);
  return { changes, cursor: String(changes.at(-1)?.seq ?? cursor), hasMore: rows.length > limit };
}

/** The cursor of a reader that starts with the next change. */
export async function latestChange(scope: Scope): Promise<string> {
  const [row] = await sessionOf(scope).run<{ seq: number }>(
    'select seq from unified.change_cursors where connection_id = $1',
    [scope.connectionId],
  );
  return String(row?.seq ?? 0);
}
