import type { ReplicaUse } from '../replicas/replicas.ts';
import { CURRENT_POSITION, type WalPosition, walPosition } from '../replicas/wal-position.ts';
import { asOwner, internalsOf, type Store } from './store.ts';

/**
 * A position that contains everything that was committed before the call. A read after it sees all of that. Undefined if reads
 * never run on a replica. Throws SERVICE_UNAVAILABLE.
 */
export async function currentPosition(store: Store): Promise<WalPosition | undefined> {
  if (!internalsOf(store).replicas) return undefined;
  const { rows } = await asOwner<{ lsn: string }>(store, `select ${CURRENT_POSITION} as lsn`);
  return rows[0] && walPosition(rows[0].lsn);
}

/** From now on, reads run only on replicas that have replayed everything that was committed before the call. */
export async function requireCurrent(store: Store): Promise<void> {
  const position = await currentPosition(store);
  if (position !== undefined) internalsOf(store).replicas?.requireAtLeast(position);
}

/** How the replicas are used, in the order of the settings; empty without replicas. */
export function replicaUseOf(store: Store): readonly ReplicaUse[] {
  return internalsOf(store).replicas?.use() ?? [];
}
