import { type Stream, SystemError } from '@unified/connectors';
import { refreshStatistics, saveSyncState, syncState } from '@unified/store';
import { LaneLost } from '../lanes/lane.ts';
import { failureOf } from '../systems/failure.ts';
import type { Link } from '../systems/link.ts';
import type { Payloads } from '../worker/jobs.ts';
import type { Work } from '../worker/work.ts';
import { rederiveStale } from './rederive-stale.ts';
import { modeDue, nextRun, scheduleOf } from './schedule.ts';
import { memoryOf } from './stream-memory.ts';
import type { SyncMode } from './sync-mode.ts';
import { type Syncing, syncStream } from './sync-stream.ts';

/** A sync that finds another one running waits this long. */
const BUSY_MS = 1_000;

/**
 * Reads the streams of a connection in the order of the platform: those named, or all; in the mode asked for, or in the
 * one that each stream is due in. What goes wrong with one stream is noted there and does not keep the others.
 */
export async function runSync(work: Work, payload: Payloads['sync-connection']): Promise<void> {
  await work.links.use(payload.connectionId, (link) => syncBy(link, work, payload));
}

async function syncBy(link: Link, work: Work, payload: Payloads['sync-connection']): Promise<void> {
  const { connectionId, mode, streams } = payload;
  const hold = await work.lanes.take('sync', connectionId);
  if (!hold) {
    // Somebody asked for this run: it must not get lost because another one is under way.
    if (mode) await work.jobs.syncConnection(payload, new Date(Date.now() + BUSY_MS));
    return;
  }
  const log = work.log.child({ connectionId });
  const syncing: Syncing = { link, pages: work.policies.page, log, signal: work.signal, assertHeld: hold.assertHeld };
  try {
    const planned = await plan(link, mode, streams);
    for (const { stream, mode: due } of planned) {
      if (work.signal.aborted || !(await syncOne(syncing, stream, due))) return;
    }
    await rederiveStale(link, work.signal);
    if (planned.some(({ isFirst }) => isFirst)) await refreshStatistics(work.store);
  } catch (error) {
    if (!(error instanceof LaneLost)) throw error;
    log.warn('sync lost its lock');
  } finally {
    await hold.release();
  }
}

interface Planned {
  readonly stream: Stream;
  readonly mode: SyncMode;
  /** Whether the stream was never read to its end. */
  readonly isFirst: boolean;
}

/**
 * What to read: in the mode asked for, or what is due. Every stream is noted as due first, so that what a killed worker
 * did not come to is found by the sweep.
 */
async function plan(link: Link, mode: SyncMode | undefined, names: readonly string[] | undefined): Promise<Planned[]> {
  const { scope, platform, settings } = link;
  const planned: Planned[] = [];
  for (const stream of platform.streams.filter(({ name }) => names === undefined || names.includes(name))) {
    const state = await syncState(scope, stream.name);
    const isDue = !state?.nextRunAt || Date.parse(state.nextRunAt) <= Date.now();
    if (!mode && !isDue) continue;
    await saveSyncState(scope, stream.name, { nextRunAt: 'now' });
    const { fullAt } = memoryOf(state?.cursor);
    planned.push({ stream, mode: mode ?? modeDue(fullAt, scheduleOf(settings)), isFirst: fullAt === null });
  }
  return planned;
}

/** Reads one stream and notes how it went. False: the system refuses us altogether. */
async function syncOne(syncing: Syncing, stream: Stream, mode: SyncMode): Promise<boolean> {
  const { link, log, signal } = syncing;
  const schedule = scheduleOf(link.settings);
  try {
    await syncStream(syncing, stream, mode);
    if (signal.aborted) return stopped(syncing, stream);
    await saveSyncState(link.scope, stream.name, { runningSince: null, nextRunAt: nextRun(schedule, false) });
    return true;
  } catch (error) {
    if (error instanceof LaneLost) throw error;
    if (signal.aborted) return stopped(syncing, stream);
    if (!(error instanceof SystemError)) log.error({ err: error, stream: stream.name }, 'sync met a fault');
    else log.warn({ err: error, stream: stream.name }, 'stream not synchronised');
    await noteFailure(link, stream, error, nextRun(schedule, true));
    return !(error instanceof SystemError && error.kind === 'unauthorized');
  }
}

/** The worker stops: the stream stays due, and the next worker goes on with it. */
async function stopped({ link }: Syncing, stream: Stream): Promise<boolean> {
  await saveSyncState(link.scope, stream.name, { runningSince: null });
  return false;
}

/** A place within a pass that the system refuses is forgotten: the next run begins anew. */
async function noteFailure({ scope }: Link, stream: Stream, error: unknown, nextRunAt: string): Promise<void> {
  const refused = error instanceof SystemError && error.kind === 'rejected';
  const { message } = failureOf(error);
  await saveSyncState(scope, stream.name, {
    error: message,
    runningSince: null,
    nextRunAt,
    ...(refused && { passId: null }),
  });
}
