import { LockLost, markDerived, syncStates } from '@unified/store';
import type { DriverSession } from '../drivers/driver-pool.ts';
import type { RunPlace } from '../jobs/run-places.ts';
import type { WorkerContext } from '../jobs/worker-context.ts';
import { isStillActive } from '../model/active-model.ts';
import { rederiveStale } from '../records/rederive-stale.ts';
import { deriveByNewMappings } from './derive-stream.ts';
import { isLongForAllRows } from './expected-length.ts';
import { memoryOf } from './stream-memory.ts';
import { streamsByRelation } from './stream-order.ts';

/** Delay before a derivation is attempted again while a sync is in progress, which ends after its current page. */
const BUSY_MS = 500;

/**
 * Derives the records of a connection again from stored rows, by the mappings that were activated since the last derivation.
 * The connected system is not called. A worker that is stopped or killed leaves the connection due, and the next one continues
 * after the last stored batch.
 */
export async function deriveConnection(worker: WorkerContext, connectionId: string, place: RunPlace): Promise<void> {
  await worker.drivers.withDriver(connectionId, async (session) => {
    if (!place.begin(await isLongForAllRows(worker, session.scope)))
      return worker.jobs.addDerivationJob(connectionId, place.whenPostponed);
    return deriveBy(session, worker);
  });
}

async function deriveBy(session: DriverSession, worker: WorkerContext): Promise<void> {
  const { store, jobs, locks } = worker;
  const { connectionId } = session;
  const lock = await locks.take('sync', connectionId);
  if (!lock) return jobs.addDerivationJob(connectionId, { at: new Date(Date.now() + BUSY_MS) });
  const log = worker.log.child({ connectionId });
  try {
    if (!(await deriveStreams(session, worker))) return;
    lock.assertHeld();
    await markDerived(store, connectionId, session.scope.mappingVersion ?? 0);
    log.info('records derived again');
  } catch (error) {
    if (!(error instanceof LockLost)) throw error;
    log.info({ err: error }, 'derivation interrupted; it continues with the active mappings');
    await jobs.addDerivationJob(connectionId);
  } finally {
    await lock.release();
  }
}

/** Returns whether the records of all streams have been derived. */
async function deriveStreams(session: DriverSession, worker: WorkerContext): Promise<boolean> {
  const { connectionId, scope, model } = session;
  const ended = new AbortController();
  const signal = AbortSignal.any([worker.signal, ended.signal]);
  const endUnlessActive = async () => {
    if (!(await isStillActive(worker.store, connectionId))) ended.abort();
  };
  await endUnlessActive();
  const states = new Map((await syncStates(scope)).map((state) => [state.stream, state]));
  for (const stream of streamsByRelation(model, scope.entities)) {
    const state = states.get(stream.name);
    if (signal.aborted) return false;
    if (state) await deriveByNewMappings({ session, signal, endUnlessActive }, stream, memoryOf(state.cursor));
  }
  await rederiveStale(session, signal, async () => {
    await endUnlessActive();
    return signal.aborted;
  });
  return !signal.aborted;
}
