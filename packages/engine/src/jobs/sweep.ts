import { setTimeout as pause } from 'node:timers/promises';
import { DefinitionError } from '@unified/connectors';
import {
  dueConnections,
  dueQueues,
  failureLevel,
  forgetExpiredKeys,
  markUnreadDue,
  platformsInUse,
  type Store,
  sweepContents,
} from '@unified/store';
import type { Logger } from 'pino';
import type { Systems } from '../model/systems.ts';
import type { Jobs } from './jobs.ts';

/** Milliseconds between two sweeps. */
const SHORTEST_MS = 2_000;
const LONGEST_MS = 5_000;

/** Connections that one sweep adds jobs for; the next sweep continues. */
const MOST = 1_000;

interface Sweeping {
  readonly store: Store;
  readonly jobs: Jobs;
  readonly systems: Systems;
  readonly log: Logger;
  /** Whether jobs for syncs are added, too. */
  readonly syncs: boolean;
}

/**
 * Adds jobs for what is due according to the tables, now and every few seconds: the job of a worker that was killed
 * stays locked in the queue, and a job may have been lost before it was added. Each sweep also deletes expired idempotency
 * keys and contents that nothing refers to. Resolves when `signal` aborts.
 */
export async function sweep({ store, jobs, systems, log, syncs }: Sweeping, signal: AbortSignal): Promise<void> {
  let hasMarkedNewStreams = false;
  while (!signal.aborted) {
    try {
      await wakeQueues(store, jobs);
      if (syncs && !hasMarkedNewStreams) await markNewStreamsDue(store, systems);
      hasMarkedNewStreams = true;
      if (syncs) await wakeSyncs(store, jobs);
      await forgetExpiredKeys(store);
      await sweepContents(store);
    } catch (err) {
      log[failureLevel(err)]({ err }, 'sweep failed');
    }
    // Jitter, so that many workers do not sweep together. The pause rejects only when it is aborted.
    const wait = SHORTEST_MS + Math.random() * (LONGEST_MS - SHORTEST_MS);
    await pause(wait, undefined, { signal }).catch(() => {});
  }
}

async function wakeQueues(store: Store, jobs: Jobs): Promise<void> {
  for (const connectionId of await dueQueues(store, MOST)) await jobs.addDrainJob(connectionId);
}

async function wakeSyncs(store: Store, jobs: Jobs): Promise<void> {
  for (const connectionId of await dueConnections(store, MOST)) await jobs.addSyncJob({ connectionId });
}

/** Streams that are new in this release are due immediately, not only when their connections are. */
async function markNewStreamsDue(store: Store, systems: Systems): Promise<void> {
  for (const platform of await platformsInUse(store))
    await markUnreadDue(store, platform, streamsOf(systems, platform));
}

/** Names of the streams of a platform; none for one that this release does not have. */
function streamsOf(systems: Systems, platform: string): readonly string[] {
  try {
    return systems.platformOf(platform).streams.map(({ name }) => name);
  } catch (error) {
    if (error instanceof DefinitionError) return [];
    throw error;
  }
}
