import type { Stream } from '@unified/connectors';
import type { SyncRun } from './sync-run.ts';
import { syncStatus } from './sync-status.ts';

/** Faults that one line of the log names; the others are counted. */
const MOST = 20;

/** Logs, once for a run, why values of its streams do not get into the records. Values themselves are not logged. */
export async function warnOfProblems({ session, log }: SyncRun, streams: readonly Stream[]): Promise<void> {
  const names = new Set(streams.map(({ name }) => name));
  const read = (await syncStatus(session.scope, session.platform)).filter(({ stream }) => names.has(stream));
  const found = read.flatMap(({ stream, problems }) =>
    problems.map(({ entity, field, path, reason, message, count }) => ({
      ...{ stream, entity, field, path, reason, message, count },
    })),
  );
  if (found.length === 0) return;
  log.warn(
    { problems: found.slice(0, MOST), faults: found.length },
    'values do not get into the records; see /sync-status',
  );
}
