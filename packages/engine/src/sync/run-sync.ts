import { type Stream, SystemError } from '@unified/connectors';
import {
  failureLevel,
  LockLost,
  markSyncDue,
  planNextSync,
  type Store,
  saveSyncState,
  syncState,
} from '@unified/store';
import { inSpan } from '@unified/tracing';
import type { DriverSession } from '../drivers/driver-pool.ts';
import type { Payloads, SyncMode } from '../jobs/jobs.ts';
import type { RunPlace } from '../jobs/run-places.ts';
import type { WorkerContext } from '../jobs/worker-context.ts';
import { isStillActive } from '../model/active-model.ts';
import { isLongSync } from './expected-length.ts';
import { finishRun, type ReadStream, warnOfProblems } from './finish-run.ts';
import { awaitsRelations } from './open-pass.ts';
import { memoryOf } from './stream-memory.ts';
import { streamsByRelation } from './stream-order.ts';
import { modeDue, nextRun, noteFailure, type SyncRun, scheduleOf } from './sync-run.ts';
import { syncStream } from './sync-stream.ts';
import { DeletesWithheld } from './withheld-deletes.ts';

/** Delay before a requested run is attempted again while another run is in progress. */
const BUSY_MS = 1_000;

/**
 * Reads the streams of a connection in the order of their relations: the given streams or all of them, in the given mode or in
 * the mode in which each stream is due. The failure of one stream is stored in its status and does not stop the others. A run that
 * is expected to be long is postponed if the worker has no place for it.
 */
export async function runSync(
  worker: WorkerContext,
  payload: Payloads['sync-connection'],
  place: RunPlace,
): Promise<void> {
  const attributes = { 'unified.connection': payload.connectionId };
  await worker.drivers.withDriver(payload.connectionId, async (session) => {
    if (!place.begin(await isLongSync(worker, session, payload)))
      return worker.jobs.addSyncJob(payload, place.whenPostponed);
    return inSpan('sync', { attributes }, () => syncBy(session, worker, payload));
  });
}

async function syncBy(
  session: DriverSession,
  worker: WorkerContext,
  payload: Payloads['sync-connection'],
): Promise<void> {
  const { connectionId, mode, streams } = payload;
  const lock = await worker.locks.take('sync', connectionId);
  if (!lock) {
    // A requested run is repeated later, so that the current one does not replace it.
    if (mode) await worker.jobs.addSyncJob(payload, { at: new Date(Date.now() + BUSY_MS) });
    return;
  }
  const log = worker.log.child({ connectionId });
  const ended = new AbortController();
  const signal = AbortSignal.any([worker.signal, ended.signal]);
  const endUnlessActive = async () => {
    if (!(await isStillActive(worker.store, connectionId))) ended.abort();
  };
  const { assertHeld } = lock;
  const startedAt = new Date().toISOString();
  try {
    // Checked under the lock: from here on, the connection cannot be removed while this runs.
    await endUnlessActive();
    if (signal.aborted) return;
    const { toRead, read } = await plan(worker.store, session, mode, streams);
    const full = toRead.some((planned) => planned.mode === 'full');
    const accepts = {
      acceptsColumns: payload.acceptColumns === true,
      acceptsDeletes: payload.acceptDeletes === true,
    };
    const work = { session, pages: worker.policies.page, log, signal, ...accepts, endUnlessActive, assertHeld };
    const run: SyncRun = { ...work, startedAt, mode: full ? 'full' : 'incremental' };
    let isComplete = true;
    for (const planned of toRead) {
      await endUnlessActive();
      const began = performance.now();
      const outcome = await syncOne(run, planned);
      if (outcome === 'stopped') return;
      const seconds = planned.isContinued ? undefined : (performance.now() - began) / 1000;
      if (outcome === 'read') read.push({ ...planned, seconds });
      else isComplete = false;
      if (outcome === 'refused') break;
    }
    await finishRun(worker.store, run, { read, isComplete });
    assertHeld();
    const all = session.model.platform.streams.map(({ name }) => name);
    await planNextSync(worker.store, connectionId, all);
    await warnOfProblems(
      run,
      read.map(({ stream }) => stream),
    );
  } catch (error) {
    if (!(error instanceof LockLost)) throw error;
    log.warn({ err: error }, 'sync interrupted');
    // Streams that are due are found by the sweep, but a requested run would be lost.
    if (mode) await worker.jobs.addSyncJob(payload, { at: new Date(Date.now() + BUSY_MS) });
  } finally {
    await lock.release();
  }
}

interface Planned extends ReadStream {
  readonly mode: SyncMode;
  /** Whether an earlier run began the pass. */
  readonly isContinued: boolean;
}

/**
 * What to read: the requested streams, or those that are due. Every stream is marked as due first, so that the sweep finds
 * streams that a killed worker did not read. Streams that it did read are not read again; only their references are resolved.
 */
async function plan(
  store: Store,
  session: DriverSession,
  mode: SyncMode | undefined,
  names: readonly string[] | undefined,
) {
  const { connectionId, scope, model } = session;
  const toRead: Planned[] = [];
  const read: ReadStream[] = [];
  const streams = streamsByRelation(model, scope.entities);
  for (const stream of streams.filter(({ name }) => names === undefined || names.includes(name))) {
    const state = await syncState(scope, stream.name);
    const isDue = !state?.nextRunAt || Date.parse(state.nextRunAt) <= Date.now();
    if (!mode && !isDue) continue;
    const isFirst = !state?.lastSuccessAt;
    if (!mode && awaitsRelations(state)) {
      read.push({ stream, isFirst });
      continue;
    }
    if (toRead.length === 0) await markSyncDue(store, connectionId);
    await saveSyncState(scope, stream.name, { nextRunAt: 'now' });
    const { fullAt, isFullOwed } = memoryOf(state?.cursor);
    const isContinued = state?.passId != null;
    const due = modeDue(fullAt, scheduleOf(session.schedule));
    toRead.push({ stream, mode: isFullOwed ? 'full' : (mode ?? due), isFirst, isContinued });
  }
  return { toRead, read };
}

/** Reads one stream and stores its status. Returns `refused` if the system refuses the credentials. */
async function syncOne(run: SyncRun, { stream, mode }: Planned): Promise<'read' | 'failed' | 'refused' | 'stopped'> {
  const { session, log, signal } = run;
  if (signal.aborted) return 'stopped';
  try {
    const quota = session.quota.about({ stream: stream.name, syncStartedAt: run.startedAt });
    const ofStream = { ...run, session: { ...session, quota } };
    const isRead = await inSpan(`sync ${stream.name}`, {}, () => syncStream(ofStream, stream, mode));
    return isRead ? 'read' : await stopped(run, stream);
  } catch (error) {
    if (error instanceof LockLost) throw error;
    if (signal.aborted) return stopped(run, stream);
    if (!(error instanceof SystemError))
      log[failureLevel(error)]({ err: error, stream: stream.name }, 'sync failed with an internal error');
    else log.warn({ err: error, stream: stream.name }, 'stream not synchronized');
    const isFailure = !(error instanceof DeletesWithheld);
    const schedule = scheduleOf(session.schedule);
    const next = nextRun(schedule, isFailure ? error : undefined);
    await noteFailure(run, { stream, ...(isFailure && { mode }) }, error, next);
    return error instanceof SystemError && error.kind === 'unauthorized' ? 'refused' : 'failed';
  }
}

/** Called when the worker was stopped: the stream stays due, and the next worker continues it. */
async function stopped({ session }: SyncRun, stream: Stream): Promise<'stopped'> {
  await saveSyncState(session.scope, stream.name, { runningSince: null });
  return 'stopped';
}
