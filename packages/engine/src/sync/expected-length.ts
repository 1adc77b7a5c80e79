import { countRawRows, type Scope, type SyncState, syncStates } from '@unified/store';
import type { DriverSession } from '../drivers/driver-pool.ts';
import type { Payloads, SyncMode } from '../jobs/jobs.ts';
import type { WorkerContext } from '../jobs/worker-context.ts';
import { awaitsRelations } from './open-pass.ts';
import { memoryOf } from './stream-memory.ts';
import { modeDue, scheduleOf } from './sync-run.ts';

/** Rows that a slow system returns per second. */
const ROWS_PER_SECOND = 100;

/** Error codes of streams that are expected to fail again immediately, such as those of tables that the user may not read. */
const REFUSED: readonly unknown[] = ['SERVICE_SYSTEM_FORBIDDEN', 'SERVICE_REJECTED'];

type Limit = Pick<WorkerContext, 'longAfterMs'>;

/**
 * Whether a run is expected to be long: reading the streams that it will read took long the last time, or one of them is read
 * completely for the first time.
 */
export async function isLongSync(
  { longAfterMs }: Limit,
  { scope, model, schedule }: DriverSession,
  { mode, streams: names }: Payloads['sync-connection'],
): Promise<boolean> {
  const states = new Map((await syncStates(scope)).map((state) => [state.stream, state]));
  let seconds = 0;
  for (const { name } of model.platform.streams) {
    if (names !== undefined && !names.includes(name)) continue;
    const state = states.get(name) ?? null;
    const read = modeOf(state, mode, schedule);
    if (read === 'full') seconds += isRead(state) ? await fullSeconds(scope, state) : firstSeconds(state);
    else if (read === 'incremental') seconds += state?.changesSeconds ?? 0;
  }
  return seconds * 1000 > longAfterMs;
}

/**
 * Whether a run over all rows of a connection is expected to be long: reading them from the connected system would take at least
 * as long.
 */
export async function isLongForAllRows({ longAfterMs }: Limit, scope: Scope): Promise<boolean> {
  let seconds = 0;
  for (const state of await syncStates(scope)) seconds += await fullSeconds(scope, state);
  return seconds * 1000 > longAfterMs;
}

/** Whether a stream has been read completely. */
function isRead(state: SyncState | null): state is SyncState {
  return memoryOf(state?.cursor).fullAt !== null;
}

/** The length of a first pass is not known, unless the system refused its first page. */
function firstSeconds(state: SyncState | null): number {
  const isRefused = state?.rowsSeen === 0 && REFUSED.includes(state.errorCode);
  return isRefused ? 0 : Number.POSITIVE_INFINITY;
}

/** If a full pass has not been measured, for example because an earlier release read the stream, its rows are counted. */
async function fullSeconds(scope: Scope, state: SyncState): Promise<number> {
  return state.fullSeconds ?? (await countRawRows(scope, state.stream)) / ROWS_PER_SECOND;
}

/** How a run reads a stream; undefined if it does not. */
function modeOf(
  state: SyncState | null,
  requested: SyncMode | undefined,
  schedule: DriverSession['schedule'],
): SyncMode | undefined {
  const isDue = !state?.nextRunAt || Date.parse(state.nextRunAt) <= Date.now();
  if (!requested && (!isDue || awaitsRelations(state))) return undefined;
  const { fullAt } = memoryOf(state?.cursor);
  const continuesFull = state?.passId != null && state.passMode === 'full';
  return continuesFull || fullAt === null ? 'full' : (requested ?? modeDue(fullAt, scheduleOf(schedule)));
}
