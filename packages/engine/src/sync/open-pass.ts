import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Json, Stream } from '@unified/connectors';
import { type Pass, type SyncState, saveSyncState } from '@unified/store';
import type { DriverSession } from '../drivers/driver-pool.ts';
import type { SyncMode } from '../jobs/jobs.ts';
import type { PassPlan } from './pass-plan.ts';
import type { StreamMemory } from './stream-memory.ts';

/** The current pass over a stream. */
export interface OpenPass extends Pass {
  readonly mode: SyncMode;
  /** High-water mark of the last finished pass. */
  readonly since: Json | null;
  /** High-water mark to store when this pass ends. */
  readonly mark: Json;
  /** Position of the next page; null means the first page. */
  readonly from: Json | null;
  readonly rowsSeen: number;
}

/** Timestamps of passes are set by PostgreSQL, like those of the rows that are compared with them. */
const NOW = 'now';

/** Continues the interrupted pass or starts a new one, as planned. */
export async function openPass(
  session: DriverSession,
  stream: Stream,
  { mode, continues, comparison }: Pick<PassPlan, 'mode' | 'continues' | 'comparison'>,
  state: SyncState | null,
  memory: StreamMemory,
): Promise<OpenPass> {
  const interrupted = continues && state ? passOf(state, memory) : null;
  if (interrupted) {
    await saveSyncState(session.scope, stream.name, { runningSince: NOW });
    return interrupted;
  }
  const mark = await markOf(session, stream, memory);
  const begun = await saveSyncState(session.scope, stream.name, {
    passId: randomUUID(),
    passMode: mode,
    passMark: mark,
    passFrom: null,
    passStartedAt: NOW,
    runningSince: NOW,
    rowsSeen: 0,
    ...(comparison === 'rows' && { cursor: { ...memory, isComparisonOwed: true } satisfies StreamMemory }),
  });
  const pass = passOf(begun, memory);
  if (!pass) throw new Error(`The pass over ${stream.name} was not stored.`);
  return pass;
}

/**
 * Whether a run need not read a stream, because the system reports the version that it had before the last pass. Requested full
 * passes, and those that are due, read it nevertheless.
 */
export async function isUnchanged(
  session: DriverSession,
  stream: Stream,
  { maySkip }: Pick<PassPlan, 'maySkip'>,
  memory: StreamMemory,
): Promise<boolean> {
  if (!maySkip || !hasVersion(session, stream)) return false;
  return isDeepStrictEqual(await markOf(session, stream, memory), memory.mark);
}

function hasVersion({ driver }: DriverSession, { cursor }: Stream): boolean {
  return cursor === undefined && driver.version !== undefined;
}

/** What is stored when the pass ends, for the next one; null if the system has nothing of the kind. */
async function markOf(session: DriverSession, stream: Stream, { mark }: StreamMemory): Promise<Json> {
  const { driver, quota } = session;
  const { changes } = driver;
  if (hasVersion(session, stream)) return quota.run('sync', async () => (await driver.version?.(stream)) ?? null);
  return changes ? quota.run('sync', () => changes.mark(stream, mark)) : null;
}

function passOf(state: SyncState, memory: StreamMemory): OpenPass | null {
  const { passId, passMode, passMark, passFrom, passStartedAt, rowsSeen } = state;
  if (passId === null || passMode === null || passStartedAt === null) return null;
  const place = { since: memory.mark, mark: passMark as Json, from: passFrom as Json | null };
  return { id: passId, startedAt: passStartedAt, mode: passMode, ...place, rowsSeen };
}

/** Whether a pass was completed in a run that was interrupted, so that the references of its records are not resolved yet. */
export function awaitsRelations(state: SyncState | null): boolean {
  return state !== null && state.runningSince !== null && state.passId === null;
}

/** Values of the state columns while there is no pass. */
export const noPass = { passId: null, passMode: null, passMark: null, passFrom: null, passStartedAt: null } as const;
