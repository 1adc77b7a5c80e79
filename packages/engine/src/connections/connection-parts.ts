import type { Store } from '@unified/store';
import type { Engine } from '../create-engine.ts';
import type { Systems } from '../model/systems.ts';

/** What the functions that manage connections work with. None of them reads the environment or ends the process. */
export interface ConnectionParts {
  readonly store: Store;
  readonly engine: Pick<Engine, 'requestSync' | 'forgetJobs'>;
  /** Kinds of connected systems; default: every platform there is. */
  readonly systems?: Systems;
}

/** Whose connections are meant: those of one application, or of all of them, which only an operator may ask for. */
export type Within = { readonly applicationId: string } | 'every application';

/** The filter of `listConnections` for this. */
export function applicationIn(within: Within): string | undefined {
  return within === 'every application' ? undefined : within.applicationId;
}
