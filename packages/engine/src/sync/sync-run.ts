import type { Logger } from 'pino';
import type { RetryPolicy } from '../drivers/retry-policy.ts';
import type { Link } from '../drivers/driver-session.ts';

/** A run over the streams of a connection. */
export interface Syncing {
  readonly link: Link;
  readonly pages: RetryPolicy;
  readonly log: Logger;
  /** Ends the run after the page that is under way. */
  readonly signal: AbortSignal;
  /** Throws when another worker may have taken over. */
  assertHeld(): void;
  /** Aborts the signal when the connection was deactivated or is being removed. */
  endUnlessActive(): Promise<void>;
}
