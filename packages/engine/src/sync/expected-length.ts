import { syncSeconds, syncStates } from '@unified/store';
import type { DriverSession } from '../drivers/driver-pool.ts';
import type { Payloads } from '../jobs/jobs.ts';
import type { WorkerContext } from '../jobs/worker-context.ts';
import { memoryOf } from './stream-memory.ts';
import { modeDue, scheduleOf } from './sync-run.ts';

/** Whether a run is expected to be long: the last one in the same mode was, or streams are read completely for the first time. */
export async function isLongSync(
  { store, longAfterMs }: Pick<WorkerContext, 'store' | 'longAfterMs'>,
  session: DriverSession,
  payload: Payloads['sync-connection'],
): Promise<boolean> {
  const { full, incremental } = await syncSeconds(store, session.connectionId);
  const seconds = (await readsAll(session, payload)) ? (full ?? Number.POSITIVE_INFINITY) : (incremental ?? 0);
  return seconds * 1000 > longAfterMs;
}

/** Whether a derivation is expected to be long: it reads as many rows as the last full run, or their first copy has not ended. */
export async function isLongDerivation(
  { store, longAfterMs }: Pick<WorkerContext, 'store' | 'longAfterMs'>,
  connectionId: string,
): Promise<boolean> {
  const { full } = await syncSeconds(store, connectionId);
  return (full ?? Number.POSITIVE_INFINITY) * 1000 > longAfterMs;
}

/** Whether a run reads all rows of a stream. */
async function readsAll(
  { scope, model, schedule }: DriverSession,
  { mode, streams: names }: Payloads['sync-connection'],
): Promise<boolean> {
  if (mode === 'full') return true;
  const states = new Map((await syncStates(scope)).map((state) => [state.stream, state]));
  const streams = model.platform.streams.filter(({ name }) => names === undefined || names.includes(name));
  return streams.some(({ name }) => {
    const state = states.get(name);
    const isDue = mode !== undefined || !state?.nextRunAt || Date.parse(state.nextRunAt) <= Date.now();
    const { fullAt } = memoryOf(state?.cursor);
    const isFull = mode === undefined ? modeDue(fullAt, scheduleOf(schedule)) === 'full' : fullAt === null;
    return isDue && (isFull || (state?.passId != null && state.passMode === 'full'));
  });
}
