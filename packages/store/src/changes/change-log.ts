import { noticesOf, type Scope, sessionOf } from '../access/scope.ts';
import { LockLost } from '../locks/lock-lost.ts';
import { BY_ROW } from '../sql/joint-commits.ts';
import type { Watch, WatchLimits } from '../sql/notices.ts';
import type { Session } from '../sql/session.ts';
import { type BoundStatement, bulkStatement } from '../sql/statement.ts';

/**
 * Locks the cursor of a connection's change log until the transaction ends, and returns the last number used.
 *
 * Every transaction that changes raw rows or records of a connection does this first. As a result, the changes of one
 * connection commit in the order of their numbers: a reader that has seen number n has seen every lower number, and a change
 * that commits late never appears before its cursor. It also means that ids and references are assigned by one transaction at a
 * time, and that two transactions cannot wait for each other's rows.
 *
 * Throws `MappingChanged` when the scope belongs to mappings that are no longer active: records derived by them must not
 * replace those of the active ones.
 */
export async function lockChangeCursor(scope: Scope): Promise<number> {
  const [row] = await sessionOf(scope).run<{ seq: number; mappingVersion: number }>(
    `insert into unified.change_cursors as stored (connection_id) values ($1)
     on conflict (connection_id) do update set seq = stored.seq returning seq, "mappingVersion"`,
    [scope.connectionId],
  );
  if (scope.isFenced && row?.mappingVersion !== scope.mappingVersion) throw new MappingChanged();
  return row?.seq ?? 0;
}

/**
 * Thrown to undo a transaction that stores records derived by mappings that are no longer active. The next session has the
 * active ones, and interrupted work continues with it.
 */
export class MappingChanged extends LockLost {
  constructor() {
    super('The field mappings of the connection have changed.');
  }
}

/** Channel whose notifications are ids of connections with new changes. */
export const CHANGE_CHANNEL = 'unified_change';

/**
 * Stores the last number used, and the time of the transaction. When the transaction commits, those who wait for changes are
 * notified.
 */
export async function moveChangeCursor(session: Session, connectionId: string, seq: number): Promise<void> {
  await session.run(
    `with moved as (
       update unified.change_cursors set seq = $2, "changedAt" = now() where connection_id = $1 returning connection_id)
     select pg_notify('${CHANGE_CHANNEL}', connection_id::text) from moved`,
    [connectionId, seq],
  );
}

/**
 * Waits until any process logs a change of the connection. Read the log once this has resolved, and before awaiting `noticed`.
 * Rejects with SERVICE_UNAVAILABLE.
 */
export function watchChanges(scope: Scope, limits: WatchLimits): Promise<Watch> {
  return noticesOf(scope).watch(CHANGE_CHANNEL, scope.connectionId, limits);
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
  await sessionOf(scope).runTogether(changeStatements(scope, seq, changes));
}

/** The statement with which `appendChanges` logs changes, under the same condition; none if there are no changes. */
export function changeStatements(scope: Scope, seq: number, changes: readonly Addition[]): BoundStatement[] {
  if (changes.length === 0) return [];
  const statement = bulkStatement(
    `insert into unified.changes (connection_id, seq, entity, id, kind, fields)
     select $1::uuid, $2::bigint + place, entity, id, kind, string_to_array(fields, ' ')
       from unnest($3::text[], $4::uuid[], $5::text[], $6::text[]) with ordinality given(entity, id, kind, fields, place)
     ${BY_ROW}`,
  );
  const columns = [
    changes.map(({ entity }) => entity),
    changes.map(({ id }) => id),
    changes.map(({ kind }) => kind),
    changes.map(({ fields }) => fields.join(' ')),
  ];
  return [{ statement, values: [scope.connectionId, seq, ...columns] }];
}
