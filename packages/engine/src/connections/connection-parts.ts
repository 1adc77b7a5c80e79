import type { Store } from '@unified/store';
import type { SyncMode } from '../jobs/jobs.ts';
import type { Systems } from '../model/systems.ts';

/** Jobs of connections; `Engine` has them. */
export interface ConnectionJobs {
  /** Synchronizes a connection as soon as a worker is free. */
  requestSync(connectionId: string, mode: SyncMode): Promise<void>;
  /** Removes the jobs of a connection. */
  forgetJobs(connectionId: string): Promise<void>;
}

/** Services of the functions that manage connections. None of them reads the environment or ends the process. */
export interface ConnectionParts {
  readonly store: Store;
  readonly engine: ConnectionJobs;
  /** Default: every platform. */
  readonly systems?: Systems;
}

/** The connections of one application, or of all applications, which only an operator may request. */
export type Within = { readonly applicationId: string } | 'every application';

/** The filter of `listConnections` for this. */
export function applicationIn(within: Within): string | undefined {
  return within === 'every application' ? undefined : within.applicationId;
}
