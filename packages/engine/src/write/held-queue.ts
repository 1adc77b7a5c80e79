import type { Logger } from 'pino';
import type { RetryPolicy } from '../drivers/retry-policy.ts';
import type { Link } from '../drivers/driver-session.ts';
import type { Jobs } from '../jobs/jobs.ts';

/** The writes of one connection, held by this worker. */
export interface Lane extends Link {
  readonly log: Logger;
  readonly policies: Policies;
  readonly jobs: Jobs;
  /** Throws `LaneLost` when another worker may have taken over: called before everything that cannot be undone. */
  assertHeld(): void;
  /** Whether the connection was neither deactivated nor removed meanwhile. */
  isActive(): Promise<boolean>;
}

/** How often and how far apart things are tried again. */
export interface Policies {
  readonly send: RetryPolicy;
  readonly look: RetryPolicy;
  readonly page: RetryPolicy;
}

/** Thrown where a worker notices that it no longer holds the lane. Nothing is saved: the next holder looks for itself. */
export class LaneLost extends Error {
  override readonly name = 'LaneLost';
}
