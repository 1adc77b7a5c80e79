import type { Store } from '@unified/store';
import type { Logger } from 'pino';
import type { Policies } from '../write/held-queue.ts';
import type { LaneHolder } from '../locks/leases.ts';
import type { Links } from '../drivers/driver-pool.ts';
import type { Alarms } from './delayed-wakeups.ts';
import type { Jobs } from './jobs.ts';

/** What the jobs of a worker work with. */
export interface Work {
  readonly store: Store;
  readonly links: Links;
  readonly lanes: LaneHolder;
  readonly jobs: Jobs;
  readonly alarms: Alarms;
  readonly policies: Policies;
  readonly log: Logger;
  /** Ends the work after the write or page that is under way. */
  readonly signal: AbortSignal;
}
