import type { Store } from '@unified/store';
import type { Logger } from 'pino';
import type { Systems } from './systems/systems.ts';
import type { Jobs } from './worker/jobs.ts';
import type { Settlements } from './writes/settlements.ts';

/** What the functions that serve requests work with. */
export interface EngineParts {
  readonly store: Store;
  readonly systems: Systems;
  readonly jobs: Jobs;
  readonly settlements: Settlements;
  readonly log: Logger;
}
