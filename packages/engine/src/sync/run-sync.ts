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
import type { WorkerContext } from '../jobs/worker-context.ts';
import { finishRun, type ReadStream, warnOfProblems } from './finish-run.ts';
import { type Interruption, interruptionOf } from './interruption.ts';
import { awaitsRelations } from './open-pass.ts';
import { memoryOf } from './stream-memory.ts';
import { streamsByRelation } from './stream-order.ts';
import { modeDue, nextRun, noteFailure, type SyncRun, scheduleOf } from './sync-run.ts';
import { syncStream } from './sync-stream.ts';
import { DeletesWithheld } from './withheld-deletes.ts';

/** Delay before a run is attempted again while another one is in progress. */
const BUSY_MS = 1_000;

/**
 * Reads the streams of a connection in the order of their relations: the given streams or all of them, in the given mode or in
 * the mode in which each stream is due. The failure of one stream is stored in its status and does not stop the others.
 */
export async function runSync(worker: WorkerContext, payload: Payloads['sync-connection']): Promise<void> {
  const attributes = { 'unified.connection': payload.connectionId };
  await worker.drivers.withDriver(payload.connectionId, (session) =>
    inSpan('sync', { attributes }, () => syncBy(session, worker, payload)),
  );
}

async function syncBy(
  session: DriverSession,
  worker: WorkerContext,
  payload: Payloads['sync-connection'],
): Promise<void> {
  const { connectionId, mode, continues } = payload;
  const { locks, jobs, log } = worker;
  // Streams that are due are found by the sweep, but a requested run would be lost.
  const repeatLater = async () => {
    if (mode || continues) await jobs.addSyncJob(payload, new Date(Date.now() + BUSY_MS));
  };
  const lock = await locks.take('sync', connectionId);
  if (!lock) return repeatLater();
  try {
    // Between its turns, a run is still in progress.
    if (!continues && (await jobs.hasRest(connectionId))) return await repeatLater();
    const interruption = interruptionOf(worker, connectionId);
    const rest = await readStreams({ session, worker, interruption, assertHeld: lock.assertHeld }, payload);
    if (rest) await jobs.addSyncJob(rest);
  } catch (error) {
    if (!(error instanceof LockLost)) throw error;
    log.warn({ err: error, connectionId }, 'sync interrupted');
    await repeatLater();
  } finally {
    await lock.release();
  }
}

interface Turn {
  readonly session: DriverSession;
  readonly worker: WorkerContext;
  readonly interruption: Interruption;
  assertHeld(): void;
}

/** Reads what a job requests. Returns the job that continues it if the turn of this one is over. */
async function readStreams(
  { session, worker, interruption, assertHeld }: Turn,
  payload: Payloads['sync-connection'],
): Promise<Payloads['sync-connection'] | undefined> {
  const { store } = worker;
  const { connectionId, mode, continues } = payload;
  const { signal, endUnlessActive, endAfterPage } = interruption;
  // Checked under the lock: from here on, the connection cannot be removed while this runs.
  await endUnlessActive();
  if (signal.aborted) return undefined;
  const { toRead, read } = await plan(store, session, mode, payload.streams);
  const isFull = continues?.mode === 'full' || toRead.some((planned) => planned.mode === 'full');
  const run: SyncRun = {
    session,
    pages: worker.policies.page,
    log: worker.log.child({ connectionId }),
    acceptsColumns: payload.acceptColumns === true,
    acceptsDeletes: payload.acceptDeletes === true,
    startedAt: continues?.startedAt ?? new Date().toISOString(),
    mode: isFull ? 'full' : 'incremental',
    ...{ signal, endAfterPage, assertHeld },
  };
  const left = new Set(toRead);
  let isComplete = continues?.isComplete ?? true;
  const rest = () => (interruption.isTurnOver ? restOf(payload, run, { left, isComplete }) : undefined);
  for (const planned of toRead) {
    await endUnlessActive();
    const outcome = await syncOne(run, planned);
    if (outcome === 'stopped') return rest();
    left.delete(planned);
    if (outcome === 'read') read.push(planned);
    else isComplete = false;
    if (outcome === 'refused') break;
  }
  await finishRun(store, run, { read, isComplete });
  assertHeld();
  await planNextSync(
    store,
    connectionId,
    session.model.platform.streams.map(({ name }) => name),
  );
  await warnOfProblems(
    run,
    read.map(({ stream }) => stream),
  );
  return rest();
}

/**
 * The job that continues a run: it reads the streams that are left, and counts those that were read as synchronized. Without a
 * requested mode, or once all streams were read, it does both with whatever is due.
 */
function restOf(
  payload: Payloads['sync-connection'],
  { startedAt, mode }: SyncRun,
  { left, isComplete }: { readonly left: ReadonlySet<Planned>; readonly isComplete: boolean },
): Payloads['sync-connection'] {
  const continues = { startedAt, mode, isComplete };
  if (!payload.mode || left.size === 0) return { connectionId: payload.connectionId, continues };
  return { ...payload, streams: Array.from(left, ({ stream }) => stream.name), continues };
}

interface Planned extends ReadStream {
  readonly mode: SyncMode;
}

/**
 * What to read: the requested streams, or those that are due. Every stream is marked as due first, so that the sweep finds
 * streams that a killed worker did not read. Streams that were read before a run was interrupted are not read again unless they
 * are requested; only their references are resolved.
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
  for (const stream of streamsByRelation(model, scope.entities)) {
    const state = await syncState(scope, stream.name);
    const isFirst = !state?.lastSuccessAt;
    const isDue = !state?.nextRunAt || Date.parse(state.nextRunAt) <= Date.now();
    const isRequested = mode !== undefined && (names === undefined || names.includes(stream.name));
    if (!isRequested && isDue && awaitsRelations(state)) read.push({ stream, isFirst });
    if (!isRequested && (mode !== undefined || !isDue || awaitsRelations(state))) continue;
    if (toRead.length === 0) await markSyncDue(store, connectionId);
    await saveSyncState(scope, stream.name, { nextRunAt: 'now' });
    const { fullAt } = memoryOf(state?.cursor);
    toRead.push({ stream, mode: mode ?? modeDue(fullAt, scheduleOf(session.schedule)), isFirst });
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
    await noteFailure(run, stream, error, nextRun(scheduleOf(session.schedule), isFailure));
    return error instanceof SystemError && error.kind === 'unauthorized' ? 'refused' : 'failed';
  }
}

/** Called when the worker was stopped: the stream stays due, and the next worker continues it. */
async function stopped({ session }: SyncRun, stream: Stream): Promise<'stopped'> {
  await saveSyncState(session.scope, stream.name, { runningSince: null });
  return 'stopped';
}
