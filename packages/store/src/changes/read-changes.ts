import { type Entity, ServiceError, type ViewMember } from '@unified/contract';
import pg from 'pg';
import { invalidCursor } from '../access/invalid-cursor.ts';
import { type Scope, sessionOf } from '../access/scope.ts';
import { isInView, type ShownRecords } from '../access/shown-records.ts';
import type { Addition, ChangeKind } from './change-log.ts';

/** One entry of the change log of a connection. */
export interface Change extends Addition {
  readonly seq: number;
  /** RFC 3339; time at which the service saw the change. */
  readonly at: string;
  /** Names of the views in `shown.views` that have the record. */
  readonly views: readonly string[];
}

/** Which changes to read; all by default. */
export interface ChangeSelection {
  /** Only changes of these entities. */
  readonly entities?: readonly string[] | undefined;
  /** Only changes of these kinds. */
  readonly kinds?: readonly ChangeKind[] | undefined;
  /** Only changes of these records. For a view, these are the records that it contains now. */
  readonly shown?: ShownRecords | undefined;
}

/** Changes that follow a cursor, oldest first. */
export interface ChangesAfter {
  readonly changes: readonly Change[];
  /** Continues after everything that was read, selected or not. */
  readonly cursor: string;
  /** Whether the log continues after that. */
  readonly hasMore: boolean;
}

/**
 * The numbers of the last change in the log and of the last one that was removed, together with a selected change if there is
 * one.
 */
type Row = { readonly last: number; readonly expired: number } & (Change | { readonly seq: null });

const POSITION = /^\d{1,18}$/;
/** Maximum number of changes that one call reads: a selection with few changes must not read a whole log. */
const READ_AT_ONCE = 100_000;

/**
 * Up to `limit` changes after a cursor, or from the oldest one that is kept (null), in order, and the cursor to continue from.
 * There may be fewer, even none, although more follow. Numbers become visible in order (see `lockChangeCursor`), so a reader that
 * continues from its cursor misses nothing.
 *
 * Throws SERVICE_CURSOR_EXPIRED if changes after the cursor were removed, and SERVICE_INVALID_CURSOR for one that the log never
 * returned: from a position beyond its end, for example after the log was restored from a backup, the reader would miss all
 * changes up to that position.
 */
export async function changesAfter(
  scope: Scope,
  cursor: string | null,
  limit: number,
  { entities, kinds, shown }: ChangeSelection = {},
): Promise<ChangesAfter> {
  if (cursor !== null && !POSITION.test(cursor)) throw invalidCursor();
  const values = [scope.connectionId, cursor, limit + 1, entities ?? null, kinds ?? null, shown?.entities ?? null];
  const rows = await sessionOf(scope).run<Row>(selecting(shown?.views ?? []), values);
  const { last = 0, expired = 0 } = rows[0] ?? {};
  const from = BigInt(cursor ?? expired);
  if (from > last) throw invalidCursor();
  if (from < expired) throw cursorExpired();
  const found = rows.filter((row) => row.seq !== null);
  const changes = found.slice(0, limit);
  const read = found.length > limit ? changes.at(-1)?.seq : undefined;
  const reached = read ?? Math.min(last, Number(from) + READ_AT_ONCE);
  return { changes, cursor: String(reached), hasMore: reached < last };
}

/**
 * One statement, so that the changes and the ends of the log are read at the same time. It reads neither the cursor nor any other
 * table of the coordinator: in a distributed database, one worker runs it as a whole.
 */
function selecting(views: readonly Entity[]): string {
  const ofViews = views.flatMap((entity) => (entity.view ?? []).map((member) => inView(entity, member)));
  const isShown = ['$6::text[] is null', 'entity = any($6)', ...ofViews.map(({ condition }) => condition)];
  const names = ofViews.map(({ name, condition }) => `case when ${condition} then ${name} end`);
  return `select log.last, log.expired, selected.*
    from (select coalesce(max(last), 0) as last, coalesce(max(expired), 0) as expired, coalesce($2::bigint, max(expired), 0) as start
            from unified.change_log_bounds where connection_id = $1) log
    left join lateral (
      select seq, entity, id, kind, fields, at, array_remove(array[${names}]::text[], null) as views from unified.changes
       where connection_id = $1 and seq > log.start and seq <= log.start + ${READ_AT_ONCE} and seq <= log.last
         and ($4::text[] is null or entity = any($4)) and ($5::text[] is null or kind = any($5))
         and (${isShown.join(' or ')})
       order by seq limit $3::int) selected on true
   order by seq`;
}

/** Name of a view, and the SQL condition that the view contains the record of a change. */
function inView(view: Entity, { entity }: ViewMember): { readonly name: string; readonly condition: string } {
  const condition = `(entity = ${pg.escapeLiteral(entity)} and ${isInView(view, 'changes.id')})`;
  return { name: pg.escapeLiteral(view.name), condition };
}

function cursorExpired(): ServiceError {
  const message =
    'Changes after this cursor are no longer kept. Request `cursor=latest`, read all records again, then continue with the `next_cursor` of that request.';
  return new ServiceError('SERVICE_CURSOR_EXPIRED', message);
}

/** The cursor of a reader that starts with the next change. */
export async function latestChange(scope: Scope): Promise<string> {
  const [row] = await sessionOf(scope).run<{ last: number }>(
    'select last from unified.change_log_bounds where connection_id = $1',
    [scope.connectionId],
  );
  return String(row?.last ?? 0);
}
