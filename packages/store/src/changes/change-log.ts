import type { Entity, ViewMember } from '@unified/contract';
import pg from 'pg';
import { invalidCursor } from '../access/invalid-cursor.ts';
import { type Scope, sessionOf } from '../access/scope.ts';
import { isInView, type ShownRecords } from '../access/shown-records.ts';
import type { Session } from '../sql/session.ts';
import { bulkStatement } from '../sql/statement.ts';

/**
 * Locks the cursor of a connection's change log until the transaction ends, and returns the last number used.
 *
 * Every transaction that changes raw rows or records of a connection does this first. So the changes of one connection
 * commit in the order of their numbers: a reader that has seen number n has seen every number below, and a change that
 * commits late never appears before its cursor. It also means that ids and references are assigned by one transaction
 * at a time, and that two transactions cannot wait for each other's rows.
 */
export async function lockChangeCursor(session: Session, connectionId: string): Promise<number> {
  const [row] = await session.run<{ seq: number }>(
    `insert into unified.change_cursors as stored (connection_id) values ($1)
     on conflict (connection_id) do update set seq = stored.seq returning seq`,
    [connectionId],
  );
  return row?.seq ?? 0;
}

/** Stores the last number used, and the time of the transaction. */
export async function moveChangeCursor(session: Session, connectionId: string, seq: number): Promise<void> {
  await session.run('update unified.change_cursors set seq = $2, "changedAt" = now() where connection_id = $1', [
    connectionId,
    seq,
  ]);
}

export type ChangeKind = 'created' | 'updated' | 'deleted';

/** A change to log. */
export interface Addition {
  readonly entity: string;
  readonly id: string;
  readonly kind: ChangeKind;
  /** Names of the fields that changed; empty for a record that was created. */
  readonly fields: readonly string[];
}

/** Logs changes under the numbers that follow `seq`. The caller must have locked the cursor of the log. */
export async function appendChanges(scope: Scope, seq: number, changes: readonly Addition[]): Promise<void> {
  if (changes.length === 0) return;
  const statement = bulkStatement(
    `insert into unified.changes (connection_id, seq, entity, id, kind, fields)
     select $1::uuid, $2::bigint + place, entity, id, kind, string_to_array(fields, ' ')
       from unnest($3::text[], $4::uuid[], $5::text[], $6::text[]) with ordinality given(entity, id, kind, fields, place)`,
  );
  await sessionOf(scope).texts(statement, [
    scope.connectionId,
    seq,
    changes.map(({ entity }) => entity),
    changes.map(({ id }) => id),
    changes.map(({ kind }) => kind),
    changes.map(({ fields }) => fields.join(' ')),
  ]);
}

/** One entry of the change log of a connection. */
export interface Change extends Addition {
  readonly seq: number;
  /** RFC 3339; when the service saw the change. */
  readonly at: string;
  /** Names of the views in `shown.views` that have the record. */
  readonly views: readonly string[];
}

/** Which changes to read; by default all. */
export interface ChangeSelection {
  /** Only changes of these entities. */
  readonly entities?: readonly string[];
  /** Only changes of these records. Those of a view are the records that it has now. */
  readonly shown?: ShownRecords;
}

const POSITION = /^\d{1,18}$/;

/**
 * Up to `limit` changes after a cursor (`'0'` is before the first), oldest first, and the cursor to continue from. Numbers become visible in order (see `lockChangeCursor`), so a reader that
 * continues from its cursor misses nothing. Throws SERVICE_INVALID_CURSOR for a cursor that the log never returned:
 * from a position beyond its end, for example after the log was restored from a backup, the reader would miss all
 * changes up to that position.
 */
export async function changesAfter(
  scope: Scope,
  cursor: string,
  limit: number,
  { entities, shown }: ChangeSelection = {},
): Promise<{ changes: Change[]; cursor: string; hasMore: boolean }> {
  if (!POSITION.test(cursor)) throw invalidCursor();
  const ofViews = shown?.views.flatMap((entity) => (entity.view ?? []).map((member) => inView(entity, member))) ?? [];
  const isShown = ['$5::text[] is null', 'entity = any($5)', ...ofViews.map(({ condition }) => condition)];
  const names = ofViews.map(({ name, condition }) => `case when ${condition} then ${name} end`);
  const rows = await sessionOf(scope).run<Change>(
    `select seq, entity, id, kind, fields, at, array_remove(array[${names}]::text[], null) as views from unified.changes
      where connection_id = $1 and seq > $2::bigint and ($4::text[] is null or entity = any($4)) and (${isShown.join(' or ')})
      order by seq limit $3::int`,
    [scope.connectionId, cursor, limit + 1, entities ?? null, shown?.entities ?? null],
  );
  if (rows.length === 0 && BigInt(cursor) > BigInt(await latestChange(scope))) throw invalidCursor();
  const changes = rows.slice(0, limit);
  return { changes, cursor: String(changes.at(-1)?.seq ?? cursor), hasMore: rows.length > limit };
}

/** Name of a view and the condition that it has the record of a change, in SQL. */
function inView(view: Entity, { entity }: ViewMember): { readonly name: string; readonly condition: string } {
  const condition = `(entity = ${pg.escapeLiteral(entity)} and ${isInView(view, 'changes.id')})`;
  return { name: pg.escapeLiteral(view.name), condition };
}

/** The cursor of a reader that starts with the next change. */
export async function latestChange(scope: Scope): Promise<string> {
  const [row] = await sessionOf(scope).run<{ seq: number }>(
    'select seq from unified.change_cursors where connection_id = $1',
    [scope.connectionId],
  );
  return String(row?.seq ?? 0);
}
