import { type Stream, SystemError } from '@unified/connectors';
import { saveSyncState, syncState } from '@unified/store';
import { LaneLost } from '../write/held-queue.ts';
import type { Link } from '../drivers/driver-session.ts';
import { isStillActive } from '../model/still-active.ts';
import type { Payloads } from '../jobs/jobs.ts';
import type { Work } from '../jobs/work.ts';
import { finishRun, type ReadStream } from './finish-run.ts';
import { noteFailure } from './note-failure.ts';
import { awaitsRelations } from './open-pass.ts';
import { modeDue, nextRun, scheduleOf } from './schedule.ts';
import { memoryOf } from './stream-memory.ts';
import type { SyncMode } from '../jobs/sync-mode.ts';
import { syncStream } from './sync-stream.ts';
import type { Syncing } from './sync-run.ts';
import { warnOfProblems } from './warn-of-problems.ts';

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
  const ended = new AbortController();
  const signal = AbortSignal.any([work.signal, ended.signal]);
  const endUnlessActive = async () => {
    if (!(await isStillActive(work.store, connectionId))) ended.abort();
  };
  const { assertHeld } = hold;
  const syncing: Syncing = { link, pages: work.policies.page, log, signal, endUnlessActive, assertHeld };
  try {
    // Only now that it is held, the connection cannot be removed while this runs.
    await endUnlessActive();
    if (signal.aborted) return;
    const { toRead, read } = await plan(link, mode, streams);
    for (const planned of toRead) {
      await endUnlessActive();
      const outcome = await syncOne(syncing, planned);
      if (outcome === 'stopped') return;
      if (outcome === 'read') read.push(planned);
      if (outcome === 'refused') break;
    }
    await finishRun(work.store, syncing, read);
    await warnOfProblems(
      syncing,
      read.map(({ stream }) => stream),
    );
  } catch (error) {
    if (!(error instanceof LaneLost)) throw error;
    log.warn('sync lost its lock');
  } finally {
    await hold.release();
  }
}

interface Planned extends ReadStream {
  readonly mode: SyncMode;
}

/**
 * What to read: in the mode asked for, or what is due. Every stream is noted as due first, so that what a killed worker
 * did not come to is found by the sweep. What such a worker had read is not read again, only its relations are filled in.
 */
async function plan(link: Link, mode: SyncMode | undefined, names: readonly string[] | undefined) {
  const { scope, platform, settings } = link;
  const toRead: Planned[] = [];
  const read: ReadStream[] = [];
  for (const stream of platform.streams.filter(({ name }) => names === undefined || names.includes(name))) {
    const state = await syncState(scope, stream.name);
    const isDue = !state?.nextRunAt || Date.parse(state.nextRunAt) <= Date.now();
    if (!mode && !isDue) continue;
    const isFirst = !state?.lastSuccessAt;
    if (!mode && awaitsRelations(state)) {
      read.push({ stream, isFirst });
      continue;
    }
    await saveSyncState(scope, stream.name, { nextRunAt: 'now' });
    const { fullAt } = memoryOf(state?.cursor);
    toRead.push({ stream, mode: mode ?? modeDue(fullAt, scheduleOf(settings)), isFirst });
  }
  return { toRead, read };
}

/** Reads one stream and notes how it went. Refused: the system refuses us altogether. */
async function syncOne(
  syncing: Syncing,
  { stream, mode }: Planned,
): Promise<'read' | 'failed' | 'refused' | 'stopped'> {
  const { link, log, signal } = syncing;
  if (signal.aborted) return 'stopped';
  try {
    return (await syncStream(syncing, stream, mode)) ? 'read' : await stopped(syncing, stream);
  } catch (error) {
    if (error instanceof LaneLost) throw error;
    if (signal.aborted) return stopped(syncing, stream);
    if (!(error instanceof SystemError)) log.error({ err: error, stream: stream.name }, 'sync met a fault');
    else log.warn({ err: error, stream: stream.name }, 'stream not synchronised');
    await noteFailure(link, stream, error, nextRun(scheduleOf(link.settings), true));
    return error instanceof SystemError && error.kind === 'unauthorized' ? 'refused' : 'failed';
  }
}

/** The worker stops: the stream stays due, and the next worker goes on with it. */
async function stopped({ link }: Syncing, stream: Stream): Promise<'stopped'> {
  await saveSyncState(link.scope, stream.name, { runningSince: null });
  return 'stopped';
}
