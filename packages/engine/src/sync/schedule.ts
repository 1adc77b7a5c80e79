import type { SyncSchedule } from '@unified/store';
import type { SyncMode } from '../jobs/jobs.ts';

/** Intervals between runs of a connection, in milliseconds. */
export interface Schedule {
  readonly every: number;
  readonly fullEvery: number;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Wait after a failure. */
const AFTER_FAILURE = 2 * MINUTE;

/** The schedule that is stored with a connection. */
export function scheduleOf({ syncEveryMinutes, fullSyncEveryHours }: SyncSchedule): Schedule {
  return { every: syncEveryMinutes * MINUTE, fullEvery: fullSyncEveryHours * HOUR };
}

/** The mode of a scheduled run: full at first and once per `fullEvery`, otherwise incremental. */
export function modeDue(fullAt: string | null, { fullEvery }: Schedule, now = Date.now()): SyncMode {
  return fullAt === null || Date.parse(fullAt) + fullEvery <= now ? 'full' : 'incremental';
}

/** When a stream is read again, RFC 3339, with jitter, so that runs of many connections spread out. */
export function nextRun({ every }: Schedule, failed: boolean, now = Date.now(), random = Math.random): string {
  const wait = failed ? Math.min(every, AFTER_FAILURE) : every;
  return new Date(now + wait * (1 + random() / 10)).toISOString();
}
