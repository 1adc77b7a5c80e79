import type { Store } from '@unified/store';
import type { Logger } from 'pino';
import type { Policies } from '../lanes/lane.ts';
import type { LaneHolder } from '../lanes/lane-holder.ts';
import type { Links } from '../systems/links.ts';
import type { Alarms } from './alarms.ts';
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
