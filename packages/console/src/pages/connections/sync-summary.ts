import type { SyncStatus } from './connection-queries.ts';

/** The state of all streams of a connection together. */
export interface SyncSummary {
  readonly streams: number;
  /** Streams that were copied at least once. */
  readonly copied: number;
  readonly rows: number;
  /** The stream that is being copied, if any. */
  readonly running: { readonly stream: string; readonly rows: number } | undefined;
  readonly nextRunAt: string | undefined;
  readonly problems: number;
}

/** Sums up the streams. Rows are those that the last complete or current run has seen. */
export function syncSummary({ data }: SyncStatus): SyncSummary {
  const running = data.find(({ runningSince }) => runningSince !== null);
  const next = data.flatMap(({ nextRunAt }) => nextRunAt ?? []).toSorted();
  return {
    streams: data.length,
    copied: data.filter(({ lastSuccessAt }) => lastSuccessAt !== null).length,
    rows: data.reduce((sum, { rowsSeen }) => sum + rowsSeen, 0),
    running: running && { stream: running.stream, rows: running.rowsSeen },
    nextRunAt: next[0],
    problems: data.reduce((sum, { problems }) => sum + problems.length, 0),
  };
}
