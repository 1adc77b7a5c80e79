import type { Platform } from '@unified/connectors';
import {
  pendingRelations,
  type Scope,
  type SyncState,
  syncStates,
  type UnresolvedField,
  unresolvedFields,
} from '@unified/store';
import type { SyncMode } from '../jobs/sync-mode.ts';
import { type BrokenPlatform, isBroken } from '../model/broken-platform.ts';
import { brokenIn, brokenStreams, withoutStream } from './broken-status.ts';
import { memoryOf } from './stream-memory.ts';
import { problemsByStream, type SyncProblem, streamProblems } from './stream-problems.ts';

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
  /** Records whose relations are still to be filled in, since their targets have been read. */
  readonly pendingRelations: number;
  /** Why values do not get into the records; empty where all of them do. */
  readonly problems: readonly SyncProblem[];
}

/**
 * How the synchronisation of a connection stands, by stream, in the order in which they are read. A mapping that cannot be
 * used is among the problems of its stream, with file and field; a platform that cannot be used is the error of all.
 */
export async function syncStatus(scope: Scope, platform: Platform | BrokenPlatform): Promise<StreamStatus[]> {
  const all = await syncStates(scope);
  const states = new Map(all.map((state) => [state.stream, state]));
  const pending = await pendingRelations(scope);
  const values = await problemsByStream(scope);
  const unresolved = Map.groupBy(await unresolvedFields(scope), ({ stream }) => stream);
  const shown = (each: Shown) => ({
    ...statusOf(each, states.get(each.stream)),
    pendingRelations: pending.get(each.stream) ?? 0,
  });
  if (isBroken(platform)) return brokenStreams(platform, all).map(shown);
  // Until everything was read once, most references have found no record yet.
  const isRead = (entity: string) => {
    const stream = platform.mappings[entity]?.stream;
    return stream === undefined || memoryOf(states.get(stream)?.cursor).fullAt !== null;
  };
  const missing = (fields: readonly UnresolvedField[] = []) => fields.filter(({ entity }) => isRead(entity));
  const streams = platform.streams.map(({ name }) => ({
    stream: name,
    entities: entitiesOf(platform, name),
    error: null,
    problems: [
      ...brokenIn(platform, name),
      ...streamProblems(
        platform,
        name,
        memoryOf(states.get(name)?.cursor),
        values.get(name) ?? [],
        missing(unresolved.get(name)),
      ),
    ],
  }));
  return [...streams, ...withoutStream(platform)].map(shown);
}

type Shown = Pick<StreamStatus, 'stream' | 'entities' | 'error' | 'problems'>;

function statusOf({ stream, entities, error, problems }: Shown, state: SyncState | undefined) {
  return {
    ...{ stream, entities, problems, mode: state?.passMode ?? null },
    ...{ lastSuccessAt: state?.lastSuccessAt ?? null, lastFullAt: memoryOf(state?.cursor).fullAt },
    ...{ runningSince: state?.runningSince ?? null, nextRunAt: state?.nextRunAt ?? null },
    ...{ error: error ?? state?.error ?? null, rowsSeen: state?.rowsSeen ?? 0 },
  };
}

function entitiesOf(platform: Platform, stream: string): string[] {
  return Object.values(platform.mappings).flatMap((mapping) => (mapping.stream === stream ? mapping.entity : []));
}
