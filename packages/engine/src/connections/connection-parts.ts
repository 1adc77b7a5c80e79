import type { AuditOrigin, Store } from '@unified/store';
import type { SyncMode } from '../jobs/jobs.ts';
import type { Systems } from '../model/systems.ts';

/** Jobs of connections; implemented by `Engine`. */
export interface ConnectionJobs {
  /** Synchronizes a connection as soon as a worker is free. */
  requestSync(connectionId: string, mode: SyncMode): Promise<void>;
  /** Ends the pause that the system of a connection requested, after the system has accepted a check with its settings. */
  resumeCalls(connectionId: string): Promise<void>;
  /** Removes the jobs of a connection. */
  forgetJobs(connectionId: string): Promise<void>;
}

/** Services for the functions that manage connections. None of them reads the environment or exits the process. */
export interface ConnectionParts {
  readonly store: Store;
  readonly engine: ConnectionJobs;
  /** Default: every platform. */
  readonly systems?: Systems;
  /** Who makes the changes, for the audit log. */
  readonly origin: AuditOrigin;
}

/** The connections of one application, or of all applications, which only an operator may request. */
export type Within = { readonly applicationId: string } | 'every application';

/** The corresponding filter for `listConnections`. */
export function applicationIn(within: Within): string | undefined {
  return within === 'every application' ? undefined : within.applicationId;
}
