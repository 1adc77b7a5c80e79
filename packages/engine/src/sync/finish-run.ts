import type { Stream } from '@unified/connectors';
import {
  failureLevel,
  LockLost,
  noteAcceptedCredentials,
  refreshStatistics,
  type Scope,
  type Store,
  saveSyncState,
  syncStates,
} from '@unified/store';
import type { SyncMode } from '../jobs/jobs.ts';
import { rederiveStale } from '../records/rederive-stale.ts';
import { emitEnd, nextRun, noteFailure, type SyncRun, scheduleOf } from './sync-run.ts';
import { syncStatus } from './sync-status.ts';

/** A stream that was read completely. */
export interface ReadStream {
  readonly stream: Stream;
  /** Whether it was read completely for the first time. */
  readonly isFirst: boolean;
  /** The mode and the seconds of a pass that this run began; absent if an earlier run began it. */
  readonly mode?: SyncMode;
  readonly seconds?: number | undefined;
}

/**
 * Ends a run. Its streams count as synchronized only after the references between the records that were read are resolved.
 * Until then, they stay due, so that another worker continues if this one is stopped or killed. If all streams of the run were
 * read (`isComplete`), the end of the run emits an event.
 */
export async function finishRun(
  store: Store,
  run: SyncRun,
  { read, isComplete }: { readonly read: readonly ReadStream[]; readonly isComplete: boolean },
): Promise<void> {
  const { session, log, signal, assertHeld, endUnlessActive } = run;
  const schedule = scheduleOf(session.schedule);
  try {
    const added = await rowsOfFirst(session.scope, read);
    if (added > 0) await refreshStatistics(store, added);
    await rederiveStale(session, signal, async () => {
      await endUnlessActive();
      return signal.aborted;
    });
  } catch (error) {
    if (error instanceof LockLost || signal.aborted) throw error;
    log[failureLevel(error)]({ err: error }, 'relations not filled in');
    for (const { stream } of read) await noteFailure(run, { stream }, error, nextRun(schedule, error));
    return;
  }
  if (signal.aborted) return;
  assertHeld();
  const ended = { passMode: null, runningSince: null, lastSuccessAt: 'now' };
  await session.scope.transaction(async (scope) => {
    for (const each of read)
      await saveSyncState(scope, each.stream.name, {
        ...ended,
        ...lengthOf(each),
        nextRunAt: nextRun(schedule, undefined),
      });
    if (read.length > 0) await noteAcceptedCredentials(scope);
    if (read.length > 0 && isComplete) await emitEnd(scope, run, 'sync.completed');
  });
}

/** How long a pass took, by which the length of the next one is expected. */
function lengthOf({ mode, seconds }: ReadStream) {
  if (seconds === undefined) return {};
  return mode === 'full' ? { fullSeconds: seconds } : { changesSeconds: seconds };
}

/** Number of rows of the streams that were read for the first time. */
async function rowsOfFirst(scope: Scope, read: readonly ReadStream[]): Promise<number> {
  const first = new Set(read.filter(({ isFirst }) => isFirst).map(({ stream }) => stream.name));
  if (first.size === 0) return 0;
  const states = (await syncStates(scope)).filter(({ stream }) => first.has(stream));
  return states.reduce((sum, { rowsSeen }) => sum + rowsSeen, 0);
}

/** Maximum number of problems listed in one line of the log; others are only counted. */
const MOST = 20;

/** Logs, once per run, why values of its streams are missing from the records. The values themselves are not logged. */
export async function warnOfProblems({ session, log }: SyncRun, streams: readonly Stream[]): Promise<void> {
  const names = new Set(streams.map(({ name }) => name));
  const read = (await syncStatus(session.scope, session.model)).filter(({ stream }) => names.has(stream));
  const found = read.flatMap(({ stream, problems }) =>
    problems.map(({ entity, field, path, reason, message, count }) => ({
      stream,
      entity,
      field,
      path,
      reason,
      message,
      count,
    })),
  );
  if (found.length === 0) return;
  log.warn(
    { problems: found.slice(0, MOST), faults: found.length },
    'values are left out of the records; see /sync-status',
  );
}
