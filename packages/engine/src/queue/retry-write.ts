import { ServiceError } from '@unified/contract';
import {
  keepContent,
  postpone,
  retryWrite as requeue,
  type Scope,
  type StoredWrite,
  saveSteps,
  startAttempt,
} from '@unified/store';
import { lastSent, storedSteps } from '../write/steps.ts';
import { storedWrite } from './stored-write.ts';

/**
 * Queues a failed or cancelled write again, at the end of its queue. One that may have taken effect is looked for first,
 * and only sent again when the connected system does not show it. Throws SERVICE_WRITE_STATE in other states.
 */
export async function retryWrite(scope: Scope, writeId: string): Promise<StoredWrite> {
  const { steps } = await storedWrite(scope, writeId);
  const sent = lastSent(storedSteps(steps));
  return scope.transaction(async (inner) => {
    const queued = await requeue(inner, writeId);
    await checkFile(inner, queued);
    if (!sent || sent.status === 'failed') return queued;
    await startAttempt(inner, writeId);
    await saveSteps(inner, writeId, [{ ...sent, n: 1, status: sent.status === 'succeeded' ? 'succeeded' : 'unknown' }]);
    return postpone(inner, writeId, { status: 'unknown', at: new Date().toISOString() });
  });
}

/** The file of a write that failed is kept for a while only. */
async function checkFile(scope: Scope, { entity, body }: StoredWrite): Promise<void> {
  const { sha256 } = (body ?? {}) as { readonly sha256?: string };
  if (!scope.entities[entity]?.holdsFile || sha256 === undefined || (await keepContent(scope, sha256))) return;
  throw new ServiceError(
    'SERVICE_WRITE_STATE',
    'The file of this write is no longer kept. Send it again by a new create.',
  );
}
