import type { Logger } from 'pino';
import type { DriverSession } from '../drivers/driver-session.ts';
import type { RetryPolicy } from '../drivers/retry-policy.ts';

/** A run over the streams of a connection. */
export interface SyncRun {
  readonly session: DriverSession;
  readonly pages: RetryPolicy;
  readonly log: Logger;
  /** Ends the run after the page that is under way. */
  readonly signal: AbortSignal;
  /** Throws when another worker may have taken over. */
  assertHeld(): void;
  /** Aborts the signal when the connection was deactivated or is being removed. */
  endUnlessActive(): Promise<void>;
}
