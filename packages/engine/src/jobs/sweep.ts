import { setTimeout as pause } from 'node:timers/promises';
import {
  expireLogs,
  failureLevel,
  forgetExpiredCodes,
  forgetExpiredKeys,
  forgetExpiredRequests,
  forgetExpiredSessions,
  forgetRequestCounts,
  markFailedDue,
  type Store,
  sweepContents,
} from '@unified/store';
import type { Logger } from 'pino';
import type { Systems } from '../model/systems.ts';
import { addDue, addDueRuns, markNewStreamsDue } from './due-jobs.ts';
import type { Jobs } from './jobs.ts';

/** Shortest interval between two sweeps, in milliseconds. */
const SHORTEST_MS = 2_000;
const LONGEST_MS = 5_000;
/** Milliseconds between two deletions of expired logs and connections. */
const SELDOM_MS = 3_600_000;

/** Runs that each sweep adds: a client may wait for derived records more than for synchronized ones. */
const OFTEN = ['derive-connection', 'sync-connection'] as const;

interface Sweeping {
  readonly store: Store;
  readonly jobs: Jobs;
  readonly systems: Systems;
  readonly log: Logger;
  /** Whether jobs for syncs, derivations and removals are also added. */
  readonly syncs: boolean;
  /** Whether jobs for webhook endpoints are also added. */
  readonly events: boolean;
}

/**
 * Adds jobs for what is due according to the tables, now and every few seconds: the job of a worker that was killed stays
 * locked in the queue, and a job may have been lost before it was added. Resolves when `signal` aborts.
 */
export async function sweep(sweeping: Sweeping, signal: AbortSignal): Promise<void> {
  const sweepOnce = createSweep(sweeping);
  while (!signal.aborted) {
    await sweepOnce().catch((err) => sweeping.log[failureLevel(err)]({ err }, 'sweep failed'));
    // Jitter, so that many workers do not sweep at the same time. Rejects only when the pause is aborted.
    const wait = SHORTEST_MS + Math.random() * (LONGEST_MS - SHORTEST_MS);
    await pause(wait, undefined, { signal }).catch(() => {});
  }
}

/**
 * Returns a function that sweeps once. Its first call also retries streams that failed. Each also deletes expired idempotency
 * keys, contents that nothing refers to, credentials of authorizations that have expired, and counts of requests in earlier
 * minutes. Once per hour, it also deletes expired logs, and adds jobs for the connections that were deleted 30 days ago.
 */
export function createSweep({ store, jobs, systems, syncs, events }: Omit<Sweeping, 'log'>): () => Promise<void> {
  let marked: number | undefined;
  let isFirst = true;
  let seldomDueAt = performance.now();
  return async () => {
    await addDue(store, jobs, 'drain-queue');
    if (events) await addDue(store, jobs, 'deliver-events');
    const version = systems.version?.() ?? 0;
    // The reason of a failure may be corrected at the restart, such as a missing setting of the server.
    if (syncs && isFirst) await markFailedDue(store);
    isFirst = false;
    if (syncs && marked !== version) await markNewStreamsDue(store, systems);
    marked = version;
    const isSeldom = performance.now() >= seldomDueAt;
    if (syncs) await addDueRuns(store, jobs, isSeldom ? [...OFTEN, 'remove-connection'] : OFTEN);
    await deleteExpired(store);
    if (!isSeldom) return;
    seldomDueAt = performance.now() + SELDOM_MS;
    await expireLogs(store);
  };
}

async function deleteExpired(store: Store): Promise<void> {
  await forgetExpiredKeys(store);
  await forgetExpiredRequests(store);
  await sweepContents(store);
  await forgetExpiredSessions(store);
  await forgetExpiredCodes(store);
  await forgetRequestCounts(store);
}
