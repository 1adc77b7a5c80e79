import { randomUUID } from 'node:crypto';
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
  const mode = memory.mark === null || stream.cursor === undefined ? 'full' : wanted;
  const { changes } = session.driver;
  const mark = changes ? await session.quota.run('sync', () => changes.mark(stream, memory.mark)) : null;
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
