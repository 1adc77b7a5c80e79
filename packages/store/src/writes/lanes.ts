import { type Scope, type ScopeOf, sessionOf } from '../scope.ts';
import { asOwner, type Store } from '../store.ts';
import { type StoredWrite, WRITE_COLUMNS } from './stored-write.ts';

/**
 * The write at the head of the lane: the first that is not settled, whatever its state. One that is `running` was left
 * by a worker that died, one that is `unknown` has to be verified; neither is passed over.
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
export async function lanesWithWork(store: Store): Promise<(ScopeOf & { nextAttemptAt: string | null })[]> {
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
