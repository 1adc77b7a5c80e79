import type { Stream } from '@unified/connectors';
import { refreshStatistics, type Store, saveSyncState } from '@unified/store';
import { LeaseLost } from '../locks/leases.ts';
import { rederiveStale } from '../records/rederive-stale.ts';
import { noteFailure } from './note-failure.ts';
import { nextRun, scheduleOf } from './schedule.ts';
import type { SyncRun } from './sync-run.ts';

/** A stream that was read to its end. */
export interface ReadStream {
  readonly stream: Stream;
  /** Whether that was the first time. */
  readonly isFirst: boolean;
}

/**
 * Ends a run: only when what its records point to is filled in, as far as it was read, the streams count as synchronised.
 * Until then they stay due, so that another worker finishes when this one is stopped or killed.
 */
export async function finishRun(store: Store, run: SyncRun, read: readonly ReadStream[]): Promise<void> {
  const { session, log, signal, assertHeld, endUnlessActive } = run;
  const schedule = scheduleOf(session.schedule);
  try {
    if (read.some(({ isFirst }) => isFirst)) await refreshStatistics(store);
    await rederiveStale(session, signal, async () => {
      await endUnlessActive();
      return signal.aborted;
    });
  } catch (error) {
    if (error instanceof LeaseLost || signal.aborted) throw error;
    log.error({ err: error }, 'relations not filled in');
    for (const { stream } of read) await noteFailure(session, stream, error, nextRun(schedule, true));
    return;
  }
  if (signal.aborted) return;
  assertHeld();
  const ended = { passMode: null, runningSince: null, lastSuccessAt: 'now' };
  await session.scope.transaction(async (scope) => {
    for (const { stream } of read)
      await saveSyncState(scope, stream.name, { ...ended, nextRunAt: nextRun(schedule, false) });
  });
}
