import type { Session } from '../sql/session.ts';

/**
 * Locks the cursor of a connection's change log until the transaction ends, and returns the last number used.
 *
 * Everything that changes raw rows or records of a connection does this first. So the changes of one connection commit
 * in the order of their numbers: a reader that has seen number n has seen every number below, and a change that commits
 * late never appears before its cursor. It also means that ids and references are decided by one transaction at a
 * time, and that two of them cannot wait for each other's rows.
 */
export async function lockChangeCursor(session: Session, connectionId: string): Promise<number> {
  const [row] = await session.run<{ seq: number }>(
    `insert into unified.change_cursors as stored (connection_id) values ($1)
     on conflict (connection_id) do update set seq = stored.seq returning seq`,
    [connectionId],
  );
  return row?.seq ?? 0;
}

/** Stores the last number used. */
export async function moveChangeCursor(session: Session, connectionId: string, seq: number): Promise<void> {
  await session.run('update unified.change_cursors set seq = $2 where connection_id = $1', [connectionId, seq]);
}
