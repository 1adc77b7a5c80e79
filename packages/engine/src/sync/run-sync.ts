import { type Stream, SystemError } from '@unified/connectors';
import { markSyncDue, planNextSync, type Store, saveSyncState, syncState } from '@unified/store';
import type { DriverSession } from '../drivers/driver-pool.ts';
import type { Payloads, SyncMode } from '../jobs/jobs.ts';
import type { WorkerContext } from '../jobs/worker-context.ts';
import { LeaseLost } from '../locks/leases.ts';
import { isStillActive } from '../model/active-model.ts';
import { finishRun, type ReadStream, warnOfProblems } from './finish-run.ts';
import { awaitsRelations } from './open-pass.ts';
import { modeDue, nextRun, scheduleOf } from './schedule.ts';
import { memoryOf } from './stream-memory.ts';
import { noteFailure, type SyncRun } from './sync-run.ts';
import { syncStream } from './sync-stream.ts';

/** A sync that finds another one running waits this long. */
const BUSY_MS = 1_000;

/**
 * Reads the streams of a connection in the order of the platform: those named, or all; in the mode asked for, or in the
 * one that each stream is due in. What goes wrong with one stream is noted there and does not keep the others.
 */
export async function runSync(worker: WorkerContext, payload: Payloads['sync-connection']): Promise<void> {
  await worker.drivers.withDriver(payload.connectionId, (session) => syncBy(session, worker, payload));
}

async function syncBy(
  session: DriverSession,
  worker: WorkerContext,
  payload: Payloads['sync-connection'],
): Promise<void> {
  const { connectionId, mode, streams } = payload;
  const lease = await worker.leases.take('sync', connectionId);
  if (!lease) {
    // Somebody asked for this run: it must not get lost because another one is under way.
    if (mode) await worker.jobs.syncConnection(payload, new Date(Date.now() + BUSY_MS));
    return;
  }
  const log = worker.log.child({ connectionId });
  const ended = new AbortController();
  const signal = AbortSignal.any([worker.signal, ended.signal]);
  const endUnlessActive = async () => {
    if (!(await isStillActive(worker.store, connectionId))) ended.abort();
  };
  const { assertHeld } = lease;
  const run: SyncRun = { session, pages: worker.policies.page, log, signal, endUnlessActive, assertHeld };
  try {
    // Only now that it is held, the connection cannot be removed while this runs.
    await endUnlessActive();
    if (signal.aborted) return;
    const { toRead, read } = await plan(worker.store, session, mode, streams);
    for (const planned of toRead) {
      await endUnlessActive();
      const outcome = await syncOne(run, planned);
      if (outcome === 'stopped') return;
      if (outcome === 'read') read.push(planned);
      if (outcome === 'refused') break;
    }
    await finishRun(worker.store, run, read);
    assertHeld();
    await planNextSync(
      worker.store,
      connectionId,
      session.model.platform.streams.map(({ name }) => name),
    );
    await warnOfProblems(
      run,
      read.map(({ stream }) => stream),
    );
  } catch (error) {
    if (!(error instanceof LeaseLost)) throw error;
    log.warn('sync lost its lock');
  } finally {
    await lease.release();
  }
}

interface Planned extends ReadStream {
  readonly mode: SyncMode;
}

/**
 * What to read: in the mode asked for, or what is due. Every stream is noted as due first, so that what a killed worker
 * did not come to is found by the sweep. What such a worker had read is not read again, only its relations are filled in.
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
  for (const stream of model.platform.streams.filter(({ name }) => names === undefined || names.includes(name))) {
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
    const { fullAt } = memoryOf(state?.cursor);
    toRead.push({ stream, mode: mode ?? modeDue(fullAt, scheduleOf(session.schedule)), isFirst });
  }
  return { toRead, read };
}

/** Reads one stream and notes how it went. Refused: the system refuses us altogether. */
async function syncOne(run: SyncRun, { stream, mode }: Planned): Promise<'read' | 'failed' | 'refused' | 'stopped'> {
  const { session, log, signal } = run;
  if (signal.aborted) return 'stopped';
  try {
    return (await syncStream(run, stream, mode)) ? 'read' : await stopped(run, stream);
  } catch (error) {
    if (error instanceof LeaseLost) throw error;
    if (signal.aborted) return stopped(run, stream);
    if (!(error instanceof SystemError)) log.error({ err: error, stream: stream.name }, 'sync met a fault');
    else log.warn({ err: error, stream: stream.name }, 'stream not synchronised');
    await noteFailure(session, stream, error, nextRun(scheduleOf(session.schedule), true));
    return error instanceof SystemError && error.kind === 'unauthorized' ? 'refused' : 'failed';
  }
}

/** The worker stops: the stream stays due, and the next worker goes on with it. */
async function stopped({ session }: SyncRun, stream: Stream): Promise<'stopped'> {
  await saveSyncState(session.scope, stream.name, { runningSince: null });
  return 'stopped';
}
