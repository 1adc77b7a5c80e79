import { postpone, retryWrite as requeue, type Scope, type StoredWrite, saveSteps, startAttempt } from '@unified/store';
import type { EngineParts } from '../engine-parts.ts';
import { lastSent, storedSteps } from './steps.ts';
import { storedWrite } from './stored-write.ts';
import { wakeLane } from './submit-write.ts';

/**
 * Queues a failed or cancelled write again, at the end of its lane. One that may have taken effect is looked for first,
 * and only sent again when the connected system does not show it. Throws SERVICE_WRITE_STATE in other states.
 */
export async function retryWrite(parts: EngineParts, scope: Scope, writeId: string): Promise<StoredWrite> {
  const { steps } = await storedWrite(scope, writeId);
  const sent = lastSent(storedSteps(steps));
  const write = await scope.transaction(async (inner) => {
    const queued = await requeue(inner, writeId);
    if (!sent || sent.status === 'failed') return queued;
    await startAttempt(inner, writeId);
    await saveSteps(inner, writeId, [{ ...sent, n: 1, status: sent.status === 'succeeded' ? 'succeeded' : 'unknown' }]);
    return postpone(inner, writeId, { status: 'unknown', at: new Date().toISOString() });
  });
  await wakeLane(parts, scope);
  return write;
}
