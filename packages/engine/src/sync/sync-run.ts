import { type Stream, SystemError } from '@unified/connectors';
import {
  emitInScope,
  noteRefusedCredentials,
  type Scope,
  type SyncSchedule,
  saveSyncState,
  syncStates,
} from '@unified/store';
import type { Logger } from 'pino';
import type { DriverSession } from '../drivers/driver-pool.ts';
import type { RetryPolicy } from '../drivers/retry-policy.ts';
import { failureOf, retryAfterOf } from '../drivers/system-failure.ts';
import type { SyncMode } from '../jobs/jobs.ts';
import { memoryOf } from './stream-memory.ts';

/** A run over the streams of a connection. */
export interface SyncRun {
  readonly session: DriverSession;
  /** `full` if at least one of its streams is read completely. */
  readonly mode: SyncMode;
  /** RFC 3339. */
  readonly startedAt: string;
  /** Retry policy for reading a page. */
  readonly pages: RetryPolicy;
  readonly log: Logger;
  /** Whether fields may be emptied because their columns disappeared. */
  readonly acceptsColumns: boolean;
  /** Whether records may be deleted although many rows disappeared together. */
  readonly acceptsDeletes: boolean;
  /** Ends the run after the current page. */
  readonly signal: AbortSignal;
  /** Throws `LockLost` when another worker may have taken over. */
  assertHeld(): void;
  /** Aborts the signal when the connection was deactivated or is being removed. */
  endUnlessActive(): Promise<void>;
}

/**
 * Stores why a stream was not synchronized, and when it will be attempted again. If the system rejects a position within a
 * pass, the position is dropped and the next run starts a new pass, which is full if this one was to be full (`mode`). The first
 * failure since all streams were read emits an event.
 */
export async function noteFailure(
  run: SyncRun,
  { stream, mode }: { readonly stream: Stream; readonly mode?: SyncMode | undefined },
  error: unknown,
  nextRunAt: string,
): Promise<void> {
  const isRejected = error instanceof SystemError && error.kind === 'rejected';
  const { message, code } = failureOf(error);
  await run.session.scope.transaction(async (scope) => {
    const before = await syncStates(scope);
    const known = before.find((each) => each.stream === stream.name);
    const isContinued = !isRejected && known?.passId != null && known.passMode === 'full';
    await saveSyncState(scope, stream.name, {
      error: message,
      errorCode: code,
      failingSince: known?.errorCode === code ? known.failingSince : 'now',
      runningSince: null,
      nextRunAt,
      ...(isRejected && { passId: null }),
      ...(mode === 'full' && !isContinued && { cursor: { ...memoryOf(known?.cursor), isFullOwed: true } }),
    });
    if (before.every((each) => each.error === null)) await emitEnd(scope, run, 'sync.failed');
    if (code === 'SERVICE_SYSTEM_UNAUTHORIZED') await noteRefusedCredentials(scope);
  });
}

/** Emits the event of the end of a run. Call it in the transaction that stores the end. */
export function emitEnd(
  scope: Scope,
  { mode, startedAt }: Pick<SyncRun, 'mode' | 'startedAt'>,
  type: 'sync.completed' | 'sync.failed',
): Promise<void> {
  const { connectionId } = scope;
  const data = { connectionId, mode, startedAt, finishedAt: new Date().toISOString() };
  return emitInScope(scope, { type, subject: `sync ${connectionId}`, data });
}

/** Intervals between runs of a connection, in milliseconds. */
export interface Schedule {
  readonly every: number;
  readonly fullEvery: number;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Delay after a failure. */
const AFTER_FAILURE = 2 * MINUTE;

/** The schedule that is stored with a connection. */
export function scheduleOf({ syncEveryMinutes, fullSyncEveryHours }: SyncSchedule): Schedule {
  return { every: syncEveryMinutes * MINUTE, fullEvery: fullSyncEveryHours * HOUR };
}

/** The mode of a scheduled run: full the first time and once per `fullEvery`, otherwise incremental. */
export function modeDue(fullAt: string | null, { fullEvery }: Schedule, now = Date.now()): SyncMode {
  return fullAt === null || Date.parse(fullAt) + fullEvery <= now ? 'full' : 'incremental';
}

/**
 * When a stream is read again, RFC 3339, with jitter, so that runs of many connections spread out. Sooner after a failure, but
 * only after a pause that the system requested.
 *
 * @param error Why it was not read; undefined if it was.
 */
export function nextRun({ every }: Schedule, error: unknown, now = Date.now(), random = Math.random): string {
  const pauseMs = (retryAfterOf(error) ?? 0) * 1000;
  const wait = error === undefined ? every : Math.min(every, AFTER_FAILURE);
  return new Date(now + pauseMs + wait * (1 + random() / 10)).toISOString();
}
