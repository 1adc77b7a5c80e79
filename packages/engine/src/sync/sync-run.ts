import { type Stream, SystemError } from '@unified/connectors';
import { type SyncSchedule, saveSyncState, syncState } from '@unified/store';
import type { Logger } from 'pino';
import type { DriverSession } from '../drivers/driver-pool.ts';
import type { RetryPolicy } from '../drivers/retry-policy.ts';
import { failureOf } from '../drivers/system-failure.ts';
import type { SyncMode } from '../jobs/jobs.ts';

/** A run over the streams of a connection. */
export interface SyncRun {
  readonly session: DriverSession;
  /** Retries of a page. */
  readonly pages: RetryPolicy;
  readonly log: Logger;
  /** Ends the run after the current page. */
  readonly signal: AbortSignal;
  /** Throws `LockLost` when another worker may have taken over. */
  assertHeld(): void;
  /** Aborts the signal when the connection was deactivated or is being removed. */
  endUnlessActive(): Promise<void>;
}

/**
 * Stores why a stream was not synchronized, and when it is tried again. A position within a pass that the system rejects
 * is dropped: the next run starts a new pass.
 */
export async function noteFailure(
  { scope }: DriverSession,
  stream: Stream,
  error: unknown,
  nextRunAt: string,
): Promise<void> {
  const isRejected = error instanceof SystemError && error.kind === 'rejected';
  const { message, code } = failureOf(error);
  const before = await syncState(scope, stream.name);
  await saveSyncState(scope, stream.name, {
    error: message,
    errorCode: code,
    failingSince: before?.errorCode === code ? before.failingSince : 'now',
    runningSince: null,
    nextRunAt,
    ...(isRejected && { passId: null }),
  });
}

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
