import { ServiceError } from '@unified/contract';
import type { Scope, StoredWrite } from '@unified/store';
import type { Logger } from 'pino';
import type { DriverSession } from '../drivers/driver-pool.ts';
import type { Policies } from '../drivers/retry-policy.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { LeaseLost } from '../locks/leases.ts';
import type { OpenWrite } from './open-write.ts';

/** The write queue of a connection while this worker holds its lease. */
export interface HeldQueue extends DriverSession {
  readonly log: Logger;
  readonly policies: Policies;
  readonly jobs: Jobs;
  /** Throws `LeaseLost` when another worker may have taken over. Call it before anything that cannot be undone. */
  assertHeld(): void;
  /** Returns false once the connection was deactivated or removed. */
  isActive(): Promise<boolean>;
}

/**
 * Saves the state of a write in one transaction, unless another worker continued it: a lost lock is noticed late, but
 * every attempt has a number, and only the worker with the latest number can save. Throws `LeaseLost`.
 */
export async function fenced(
  queue: HeldQueue,
  write: OpenWrite,
  save: (scope: Scope) => Promise<StoredWrite>,
): Promise<void> {
  queue.assertHeld();
  try {
    await queue.scope.transaction(async (scope) => {
      const { attempts } = await save(scope);
      if (attempts !== write.attempts) throw new LeaseLost('Another worker started a newer attempt of this write.');
    });
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'SERVICE_WRITE_STATE') {
      throw new LeaseLost('Another worker settled this write.', { cause: error });
    }
    throw error;
  }
}
