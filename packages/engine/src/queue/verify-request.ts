import { ServiceError } from '@unified/contract';
import { verifyWrite as lookNow, type Scope, type StoredWrite, saveSteps } from '@unified/store';
import { lastSent, storedSteps } from '../write/steps.ts';

/**
 * Whether somebody asked that this write be verified only. Within a transaction the answer holds until its end: a request
 * that comes meanwhile waits, and finds the write in its new state.
 */
export async function isVerifyOnly(scope: Scope, writeId: string): Promise<boolean> {
  try {
    const { steps } = await lookNow(scope, writeId);
    return lastSent(storedSteps(steps))?.prepared.verifyOnly === true;
  } catch (error) {
    // It can only be asked for while the outcome is unknown.
    if (error instanceof ServiceError && error.code === 'SERVICE_WRITE_STATE') return false;
    throw error;
  }
}

/**
 * Has the outcome of an `unknown` write looked for at once. When the connected system does not show it, the write fails:
 * it is not sent again. Throws SERVICE_WRITE_STATE in other states.
 */
export function verifyWrite(scope: Scope, writeId: string): Promise<StoredWrite> {
  return scope.transaction(async (inner) => {
    const steps = storedSteps((await lookNow(inner, writeId)).steps);
    const sent = lastSent(steps);
    if (sent) sent.prepared = { ...sent.prepared, verifyOnly: true };
    return saveSteps(inner, writeId, steps);
  });
}
