import { type Stream, SystemError } from '@unified/connectors';
import { saveSyncState } from '@unified/store';
import type { Logger } from 'pino';
import type { DriverSession } from '../drivers/driver-pool.ts';
import type { RetryPolicy } from '../drivers/retry-policy.ts';
import { failureOf } from '../drivers/system-failure.ts';

/** A run over the streams of a connection. */
export interface SyncRun {
  readonly session: DriverSession;
  /** Retries of a page. */
  readonly pages: RetryPolicy;
  readonly log: Logger;
  /** Ends the run after the current page. */
  readonly signal: AbortSignal;
  /** Throws `LeaseLost` when another worker may have taken over. */
  assertHeld(): void;
  /** Aborts the signal when the connection was deactivated or is being removed. */
  endUnlessActive(): Promise<void>;
}

/**
 * Stores why a stream was not synchronized, and when it is tried again. A position within a pass that the system rejects
 * is dropped: the next run starts a new pass.
 */
export async function noteFailure(
  { scope }: DriverSession,
  stream: Stream,
  error: unknown,
  nextRunAt: string,
): Promise<void> {
  const isRejected = error instanceof SystemError && error.kind === 'rejected';
  const { message } = failureOf(error);
  await saveSyncState(scope, stream.name, {
    error: message,
    runningSince: null,
    nextRunAt,
    ...(isRejected && { passId: null }),
  });
}
