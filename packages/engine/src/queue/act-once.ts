import { claimKey, moveKey, type Scope, type StoredWrite } from '@unified/store';
import { contentHash } from '../write/content-hash.ts';
import { storedWrite } from './stored-write.ts';

/** What is done to a write record, and to which. */
export interface WriteAction {
  readonly operation: string;
  readonly writeId: string;
  /** Of the request; without one, every request is a new one. */
  readonly idempotencyKey: string | undefined;
}

/** The write record that came of an action. `replayed`: an earlier request with the same key had asked for it. */
export interface Acted {
  readonly write: StoredWrite;
  readonly replayed: boolean;
}

/**
 * Does something to a write record. A key that was used for the same within 24 hours does nothing: it gives the record
 * that came of it then, as it stands now, although its state may no longer allow the action. An action that fails leaves
 * its key unused. Throws SERVICE_IDEMPOTENCY_MISMATCH for a key of another request.
 */
export function actOnce(
  scope: Scope,
  { operation, writeId, idempotencyKey }: WriteAction,
  act: (inner: Scope) => Promise<StoredWrite>,
): Promise<Acted> {
  return scope.transaction(async (inner) => {
    if (idempotencyKey === undefined) return { write: await act(inner), replayed: false };
    const fingerprint = contentHash({ operation, writeId });
    const claim = await claimKey(inner, { key: idempotencyKey, fingerprint }, writeId);
    if (claim.replayed) return { write: await storedWrite(inner, claim.writeId), replayed: true };
    const write = await act(inner);
    if (write.writeId !== writeId) await moveKey(inner, idempotencyKey, write.writeId);
    return { write, replayed: false };
  });
}
