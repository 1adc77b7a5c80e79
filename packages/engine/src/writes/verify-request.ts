import { verifyWrite as lookNow, type Scope, type StoredWrite, saveSteps } from '@unified/store';
import type { EngineParts } from '../engine-parts.ts';
import { lastSent, storedSteps } from './steps.ts';
import { wakeLane } from './submit-write.ts';

/**
 * Has the outcome of an `unknown` write looked for at once. When the connected system does not show it, the write fails:
 * it is not sent again. Throws SERVICE_WRITE_STATE in other states.
 */
export async function verifyWrite(parts: EngineParts, scope: Scope, writeId: string): Promise<StoredWrite> {
  const write = await scope.transaction(async (inner) => {
    const steps = storedSteps((await lookNow(inner, writeId)).steps);
    const sent = lastSent(steps);
    if (sent) sent.prepared = { ...sent.prepared, verifyOnly: true };
    return saveSteps(inner, writeId, steps);
  });
  await wakeLane(parts, scope);
  return write;
}
