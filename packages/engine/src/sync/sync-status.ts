import { type Scope, syncStates } from '@unified/store';
import { memoryOf } from './stream-memory.ts';
import type { SyncMode } from './sync-mode.ts';

/** How the synchronisation of one stream stands. Times are RFC 3339; null: never, or not now. */
export interface StreamStatus {
  readonly stream: string;
  readonly lastSuccessAt: string | null;
  /** When everything was read last. */
  readonly lastFullAt: string | null;
  readonly runningSince: string | null;
  /** Mode of the pass that is under way or was interrupted. */
  readonly mode: SyncMode | null;
  /** Why the last run failed, in the words of the connected system. */
  readonly error: string | null;
  readonly nextRunAt: string | null;
  /** Rows read in the pass under way, or in the last one. */
  readonly rowsSeen: number;
}

/** How the synchronisation of a connection stands, by stream; streams that were never read are left out. */
export async function syncStatus(scope: Scope): Promise<StreamStatus[]> {
  const states = await syncStates(scope);
  return states.map(({ stream, lastSuccessAt, runningSince, passMode, error, nextRunAt, rowsSeen, cursor }) => ({
    ...{ stream, lastSuccessAt, lastFullAt: memoryOf(cursor).fullAt, runningSince, mode: passMode, error, nextRunAt },
    rowsSeen,
  }));
}
