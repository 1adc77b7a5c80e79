import type { Store } from '@unified/store';
import type { Logger } from 'pino';
import type { Systems } from './model/systems.ts';

export interface EngineOptions {
  readonly store: Store;
  /** The database of the store; the job queue lives in it too, in a schema of its own. */
  readonly databaseUrl: string;
  readonly log: Logger;
  /** Kinds of connected systems; default: every platform there is. */
  readonly systems?: Systems;
}
