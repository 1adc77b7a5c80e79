import { asOwner, type Store } from '../store.ts';

/** Removes idempotency keys that are no longer remembered. Gives their number. */
export async function forgetExpiredKeys(store: Store): Promise<number> {
  const { rowCount } = await asOwner(store, 'delete from unified.idempotency where "expiresAt" <= now()');
  return rowCount ?? 0;
}
