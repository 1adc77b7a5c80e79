import type { ConnectionLocks, Store } from '@unified/store';
import type { Logger } from 'pino';
import type { DriverPool } from '../drivers/driver-pool.ts';
import type { Policies } from '../drivers/retry-policy.ts';
import type { DelayedWakeups } from './delayed-wakeups.ts';
import type { Jobs } from './jobs.ts';

/** Services for the jobs of a worker. */
export interface WorkerContext {
  readonly store: Store;
  readonly drivers: DriverPool;
  readonly locks: ConnectionLocks;
  readonly jobs: Jobs;
  readonly wakeups: DelayedWakeups;
  readonly policies: Policies;
  /** Milliseconds after which the write queue of a connection gives way to those of others that wait. */
  readonly writeTurnMs: number;
  /** Milliseconds after which a sync, derivation or removal counts as long. */
  readonly longAfterMs: number;
  readonly log: Logger;
  /** Ends the work after the current write or page. */
  readonly signal: AbortSignal;
}
