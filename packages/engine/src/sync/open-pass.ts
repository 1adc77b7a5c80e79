import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Json, Stream } from '@unified/connectors';
import { type Pass, type SyncState, saveSyncState } from '@unified/store';
import type { DriverSession } from '../drivers/driver-pool.ts';
import type { SyncMode } from '../jobs/jobs.ts';
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

/** Continues an interrupted pass if it covers the requested mode; otherwise starts a new one. */
export async function openPass(
  session: DriverSession,
  stream: Stream,
  wanted: SyncMode,
  state: SyncState | null,
  memory: StreamMemory,
): Promise<OpenPass> {
  const interrupted = state && passOf(state, memory);
  if (interrupted && (interrupted.mode === 'full' || wanted === 'incremental')) {
    await saveSyncState(session.scope, stream.name, { runningSince: NOW });
    return interrupted;
  }
  const mode = isFullPass(stream, wanted, null, memory) ? 'full' : wanted;
  const mark = await markOf(session, stream, memory);
  const begun = await saveSyncState(session.scope, stream.name, {
    passId: randomUUID(),
    passMode: mode,
    passMark: mark,
    passFrom: null,
    passStartedAt: NOW,
    runningSince: NOW,
    rowsSeen: 0,
  });
  const pass = passOf(begun, memory);
  if (!pass) throw new Error(`The pass over ${stream.name} was not stored.`);
  return pass;
}

/** Whether the next pass reads all rows: it continues a full one, or only a full one is possible or wanted. */
export function isFullPass(stream: Stream, wanted: SyncMode, state: SyncState | null, { mark }: StreamMemory): boolean {
  const continued = state?.passId == null ? null : state.passMode;
  return continued === 'full' || wanted === 'full' || mark === null || stream.cursor === undefined;
}

/**
 * Whether a run need not read a stream, because the system reports the version that it had before the last pass. Requested full
 * passes, and those that are due, read it nevertheless.
 */
export async function isUnchanged(
  session: DriverSession,
  stream: Stream,
  wanted: SyncMode,
  state: SyncState | null,
  memory: StreamMemory,
): Promise<boolean> {
  const isAsked = wanted === 'incremental' && memory.mark !== null && state?.passId == null;
  if (!isAsked || !hasVersion(session, stream)) return false;
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
