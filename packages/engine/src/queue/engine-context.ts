import type { Store } from '@unified/store';
import type { Logger } from 'pino';
import type { Jobs } from '../jobs/jobs.ts';
import type { Systems } from '../model/systems.ts';
import type { Settlements } from './settlements.ts';

/** What the functions that serve requests work with. */
export interface EngineContext {
  readonly store: Store;
  readonly systems: Systems;
  readonly jobs: Jobs;
  readonly settlements: Settlements;
  readonly log: Logger;
}
