import type { Platform } from '@unified/connectors';
import type { AuditOrigin, Store } from '@unified/store';
import type { SyncMode } from '../jobs/jobs.ts';
import type { Settings, Systems } from '../model/systems.ts';

/** Background work of connections; implemented by `Engine`. */
export interface ConnectionWork {
  /** Synchronizes a connection as soon as a worker is free. */
  requestSync(connectionId: string, mode: SyncMode): Promise<void>;
  /**
   * Ends the pause that a system requested for the account of these settings, and returns whether there was one. Call it
   * immediately after the system has accepted a check.
   */
  endPause(platform: Platform, settings: Settings): Promise<boolean>;
  /** Attempts the writes of a connection immediately that wait for another attempt. */
  attemptWrites(connectionId: string): Promise<void>;
  /** Removes the jobs of a connection. */
  forgetJobs(connectionId: string): Promise<void>;
}

/** Services for the functions that manage connections. None of them reads the environment or exits the process. */
export interface ConnectionParts {
  readonly store: Store;
  readonly engine: ConnectionWork;
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
