import type { Platform } from '@unified/connectors';
import { type Scope, syncStates } from '@unified/store';
import { memoryOf } from './stream-memory.ts';
import type { SyncMode } from './sync-mode.ts';

/** How the synchronisation of one stream stands. Times are RFC 3339; null: never, or not now. */
export interface StreamStatus {
  readonly stream: string;
  /** Kinds of records that are made from it. */
  readonly entities: readonly string[];
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

/** How the synchronisation of a connection stands, by stream, in the order in which they are read. */
export async function syncStatus(scope: Scope, platform: Platform): Promise<StreamStatus[]> {
  const states = new Map((await syncStates(scope)).map((state) => [state.stream, state]));
  return platform.streams.map(({ name }) => {
    const state = states.get(name);
    return {
      ...{ stream: name, entities: entitiesOf(platform, name), mode: state?.passMode ?? null },
      ...{ lastSuccessAt: state?.lastSuccessAt ?? null, lastFullAt: memoryOf(state?.cursor).fullAt },
      ...{ runningSince: state?.runningSince ?? null, nextRunAt: state?.nextRunAt ?? null },
      ...{ error: state?.error ?? null, rowsSeen: state?.rowsSeen ?? 0 },
    };
  });
}

function entitiesOf(platform: Platform, stream: string): string[] {
  return Object.values(platform.mappings).flatMap((mapping) => (mapping.stream === stream ? mapping.entity : []));
}
