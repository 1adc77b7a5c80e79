import { internalsOf, type Store } from '../store.ts';

/** Removes idempotency keys that are no longer remembered. Gives their number. */
export async function forgetExpiredKeys(store: Store): Promise<number> {
  const { rowCount } = await internalsOf(store).owner.query(
    'delete from unified.idempotency where "expiresAt" <= now()',
  );
  return rowCount ?? 0;
}
