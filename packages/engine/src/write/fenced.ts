import { ServiceError } from '@unified/contract';
import type { Scope, StoredWrite } from '@unified/store';
import { type Lane, LaneLost } from './held-queue.ts';
import type { OpenWrite } from './open-write.ts';

/**
 * Saves what became of a write, unless another worker has gone on with it: a lock that was lost is noticed a moment late,
 * but every attempt has a number, and who began an older one can change nothing any more. Throws `LaneLost`.
 */
export async function fenced(
  lane: Lane,
  write: OpenWrite,
  save: (scope: Scope) => Promise<StoredWrite>,
): Promise<void> {
  lane.assertHeld();
  try {
    await lane.scope.transaction(async (scope) => {
      const { attempts } = await save(scope);
      if (attempts !== write.attempts) throw new LaneLost('Another worker has begun this write again.');
    });
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'SERVICE_WRITE_STATE') {
      throw new LaneLost('Another worker has ended this write.', { cause: error });
    }
    throw error;
  }
}
