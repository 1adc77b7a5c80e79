import { ServiceError } from '@unified/contract';
import { type Scope, sessionOf } from '../access/scope.ts';
import { asOwner, type Store } from '../access/store.ts';

/** The key of a request, with `fingerprint`: a hash of everything that makes the request what it is. */
export interface Idempotency {
  readonly key: string;
  readonly fingerprint: string;
}

/**
 * Claims a key for a write, for 24 hours; call it in the transaction that enqueues the write. Returns the write
 * of the key, and whether it existed before: `replayed` when an earlier request with the same fingerprint has
 * claimed it. A second request waits here until the first has committed. Throws SERVICE_IDEMPOTENCY_MISMATCH.
 */
export async function claimKey(
  scope: Scope,
  { key, fingerprint }: Idempotency,
  writeId: string,
): Promise<{ writeId: string; replayed: boolean }> {
  const session = sessionOf(scope);
  const [claimed] = await session.run<{ writeId: string }>(
    `insert into unified.idempotency as known (connection_id, key, fingerprint, "writeId", "expiresAt")
     values ($1, $2, $3, $4, now() + interval '24 hours')
     on conflict (connection_id, key) do update
       set fingerprint = excluded.fingerprint, "writeId" = excluded."writeId", "expiresAt" = excluded."expiresAt"
       where known."expiresAt" <= now()
     returning "writeId"`,
    [scope.connectionId, key, fingerprint, writeId],
  );
  if (claimed) return { writeId, replayed: false };
  const [known] = await session.run<{ writeId: string; fingerprint: string }>(
    'select "writeId", fingerprint from unified.idempotency where connection_id = $1 and key = $2',
    [scope.connectionId, key],
  );
  if (known?.fingerprint === fingerprint) return { writeId: known.writeId, replayed: true };
  throw new ServiceError('SERVICE_IDEMPOTENCY_MISMATCH', `The key "${key}" was used before with another request.`);
}

/** Assigns a key that was just claimed to another write, the one that resulted from the request. */
export async function moveKey(scope: Scope, key: string, writeId: string): Promise<void> {
  await sessionOf(scope).run('update unified.idempotency set "writeId" = $3 where connection_id = $1 and key = $2', [
    scope.connectionId,
    key,
    writeId,
  ]);
}

/** Deletes expired idempotency keys and returns their number. */
export async function forgetExpiredKeys(store: Store): Promise<number> {
  const { rowCount } = await asOwner(store, 'delete from unified.idempotency where "expiresAt" <= now()');
  return rowCount ?? 0;
}
