import {
  pendingRelations,
  type Scope,
  type SyncState,
  syncStates,
  type UnresolvedField,
  unresolvedFields,
} from '@unified/store';
import type { SyncMode } from '../jobs/jobs.ts';
import { type BrokenPlatform, isBroken } from '../model/broken-platform.ts';
import { type ConnectionModel, mappingsOf } from '../model/connection-model.ts';
import type { ColumnChange } from './column-changes.ts';
import { memoryOf } from './stream-memory.ts';
import {
  brokenIn,
  brokenStreams,
  problemsByStream,
  type SyncProblem,
  streamProblems,
  withoutStream,
} from './stream-problems.ts';

/** Status of one stream. Times are RFC 3339; null if there is no such time. */
export interface StreamStatus {
  readonly stream: string;
  /** Entities that are derived from it. */
  readonly entities: readonly string[];
  readonly lastSuccessAt: string | null;
  /** Start of the last full pass that finished. */
  readonly lastFullAt: string | null;
  readonly runningSince: string | null;
  /** Mode of the current or interrupted pass. */
  readonly mode: SyncMode | null;
  /** Why the last run failed: the message of the connected system. */
  readonly error: string | null;
  readonly nextRunAt: string | null;
  /** Number of rows read in the current or last pass. */
  readonly rowsSeen: number;
  /** Number of records whose relations have not been filled in yet although their targets were read. */
  readonly pendingRelations: number;
  /** Why values are missing from the records. */
  readonly problems: readonly SyncProblem[];
  /** Columns that appeared, disappeared or got another type, newest first. */
  readonly columnChanges: readonly ColumnChange[];
}

/**
 * Status of a connection by stream, in the order in which streams are read. A mapping that cannot be used is listed among the
 * problems of its stream, with file and field. A platform that cannot be used is the error of all its streams.
 */
export async function syncStatus(scope: Scope, model: ConnectionModel | BrokenPlatform): Promise<StreamStatus[]> {
  const all = await syncStates(scope);
  const states = new Map(all.map((state) => [state.stream, state]));
  const pending = await pendingRelations(scope);
  const values = await problemsByStream(scope);
  const unresolved = Map.groupBy(await unresolvedFields(scope), ({ stream }) => stream);
  const shown = (each: Shown) => ({
    ...statusOf(each, states.get(each.stream)),
    pendingRelations: pending.get(each.stream) ?? 0,
  });
  if (isBroken(model)) return brokenStreams(model, all).map(shown);
  // Until everything has been read once, most references have no record yet.
  const isRead = (entity: string) => {
    const stream = model.mappings[entity]?.stream;
    return stream === undefined || memoryOf(states.get(stream)?.cursor).fullAt !== null;
  };
  const missing = (fields: readonly UnresolvedField[] = []) => fields.filter(({ entity }) => isRead(entity));
  const streams = model.platform.streams.map(({ name }) => ({
    stream: name,
    entities: mappingsOf(model, name).map(({ entity }) => entity),
    error: null,
    problems: [
      ...brokenIn(model, name),
      ...streamProblems(
        model,
        name,
        memoryOf(states.get(name)?.cursor),
        values.get(name) ?? [],
        missing(unresolved.get(name)),
      ),
    ],
  }));
  return [...streams, ...withoutStream(model)].map(shown);
}

type Shown = Pick<StreamStatus, 'stream' | 'entities' | 'error' | 'problems'>;

function statusOf({ stream, entities, error, problems }: Shown, state: SyncState | undefined) {
  return {
    stream,
    entities,
    problems,
    mode: state?.passMode ?? null,
    lastSuccessAt: state?.lastSuccessAt ?? null,
    lastFullAt: memoryOf(state?.cursor).fullAt,
    runningSince: state?.runningSince ?? null,
    nextRunAt: state?.nextRunAt ?? null,
    error: error ?? state?.error ?? null,
    rowsSeen: state?.rowsSeen ?? 0,
    columnChanges: memoryOf(state?.cursor).changes,
  };
}
