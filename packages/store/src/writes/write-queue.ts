import { type Scope, type ScopeOf, sessionOf } from '../access/scope.ts';
import { asOwner, type Store } from '../access/store.ts';
import type { Session } from '../sql/session.ts';
import { type StoredWrite, WRITE_COLUMNS } from './stored-write.ts';

/**
 * Returns the next sequence number of the connection's write queue. The row of the queue stays locked until the transaction
 * ends, so writes commit in the order of their numbers and a worker never skips one that is being enqueued.
 */
export async function nextSequence(session: Session, connectionId: string): Promise<number> {
  const [queue] = await session.run<{ seq: number }>(
    `insert into unified.write_queues as queue (connection_id, seq) values ($1, 1)
     on conflict (connection_id) do update set seq = queue.seq + 1 returning seq`,
    [connectionId],
  );
  if (!queue) throw new Error(`Connection ${connectionId} has no write queue.`);
  return queue.seq;
}

/**
 * Returns the first unsettled write of the queue, whatever its state. One that is `running` was left by a worker that ended,
 * one that is `unknown` has to be verified; neither is skipped.
 */
export async function nextWrite(scope: Scope): Promise<StoredWrite | null> {
  const [write] = await sessionOf(scope).run<StoredWrite>(
    `select ${WRITE_COLUMNS} from unified.writes
      where connection_id = $1 and status in ('pending', 'running', 'unknown') order by seq limit 1`,
    [scope.connectionId],
  );
  return write ?? null;
}

/** Active connections with unsettled writes, and when the first of them may be tried (null: now). */
export async function queuesWithWork(store: Store): Promise<(ScopeOf & { nextAttemptAt: string | null })[]> {
  const { rows } = await asOwner<ScopeOf & { nextAttemptAt: string | null }>(
    store,
    `select c."applicationId", c.id as "connectionId", head."nextAttemptAt"
       from (select distinct on (connection_id) connection_id, "nextAttemptAt" from unified.writes
              where status in ('pending', 'running', 'unknown') order by connection_id, seq) head
       join unified.connections c on c.id = head.connection_id
      where c.status = 'active' order by head."nextAttemptAt" nulls first`,
  );
  return rows;
}
