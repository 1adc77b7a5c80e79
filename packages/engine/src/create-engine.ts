import {
  cancelWrite,
  listWrites,
  type Scope,
  type StoredWrite,
  type WriteQuery,
  type WriteRecord,
  writeRecordOf,
} from '@unified/store';
import type { EngineOptions } from './engine-options.ts';
import type { EngineParts } from './engine-parts.ts';
import type { SyncMode } from './sync/sync-mode.ts';
import { type StreamStatus, streamsFor, syncStatus } from './sync/sync-status.ts';
import { type Capability, capabilityOf } from './systems/capabilities.ts';
import { allSystems } from './systems/systems.ts';
import { createJobs } from './worker/jobs.ts';
import { compensateWrite } from './writes/compensate-write.ts';
import { planWrite } from './writes/plan-write.ts';
import { retryWrite } from './writes/retry-write.ts';
import { createSettlements } from './writes/settlements.ts';
import { storedWrite } from './writes/stored-write.ts';
import { platformOf, submitWrite, wakeLane } from './writes/submit-write.ts';
import { verifyWrite } from './writes/verify-request.ts';
import { waitForWrite } from './writes/wait-for-write.ts';
import type { WriteRequest } from './writes/write-request.ts';

/** What the background does for requests. None of it calls a connected system; workers do. */
export interface Engine {
  /** Queues a write, or finds the one with the same key. */
  submitWrite(scope: Scope, request: WriteRequest): Promise<{ writeId: string; replayed: boolean }>;
  /** What a write would do, as a write record of status `planned`; nothing is stored. */
  planWrite(scope: Scope, request: WriteRequest): Promise<WriteRecord>;
  /** The write once it is settled, or as it stands after so many milliseconds. */
  waitForWrite(scope: Scope, writeId: string, milliseconds: number): Promise<WriteRecord>;
  /** Throws SERVICE_NOT_FOUND. */
  writeById(scope: Scope, writeId: string): Promise<WriteRecord>;
  /** Newest first. */
  listWrites(scope: Scope, query: WriteQuery): Promise<{ data: WriteRecord[]; nextCursor: string | null }>;
  /** The four throw SERVICE_WRITE_STATE when the state of the write does not allow it. */
  retryWrite(scope: Scope, writeId: string): Promise<WriteRecord>;
  verifyWrite(scope: Scope, writeId: string): Promise<WriteRecord>;
  cancelWrite(scope: Scope, writeId: string): Promise<WriteRecord>;
  /** Gives the record of the new write that takes the other one back. */
  compensateWrite(scope: Scope, writeId: string): Promise<WriteRecord>;
  /** Has a connection synchronised as soon as a worker has room: these streams of it, or all. */
  requestSync(connectionId: string, mode: SyncMode, streams?: readonly string[]): Promise<void>;
  /** The same for the streams that these entities are made from. */
  requestSyncOf(scope: Scope, mode: SyncMode, entities: readonly string[]): Promise<void>;
  syncStatus(scope: Scope): Promise<StreamStatus[]>;
  /** What the connected system can do, for every entity of the scope. */
  capabilities(scope: Scope): Promise<Capability[]>;
  /** Has the lane of a connection looked at, for example after it was activated. */
  wakeLane(scope: Scope): Promise<void>;
  close(): Promise<void>;
}

/** Opens the engine for a process that serves requests; the database is reached when it is first needed. */
export function createEngine({ store, databaseUrl, log, systems = allSystems }: EngineOptions): Engine {
  const jobs = createJobs({ databaseUrl, log });
  const settlements = createSettlements(store);
  const parts: EngineParts = { store, systems, jobs, settlements, log };
  const shown = async (write: Promise<StoredWrite>) => writeRecordOf(await write);
  return {
    submitWrite: (scope, request) => submitWrite(parts, scope, request),
    planWrite: (scope, request) => planWrite(parts, scope, request),
    waitForWrite: (scope, writeId, milliseconds) => shown(waitForWrite(parts, scope, writeId, milliseconds)),
    writeById: (scope, writeId) => shown(storedWrite(scope, writeId)),
    async listWrites(scope, query) {
      const { writes, nextCursor } = await listWrites(scope, query);
      return { data: writes.map(writeRecordOf), nextCursor };
    },
    retryWrite: (scope, writeId) => shown(retryWrite(parts, scope, writeId)),
    verifyWrite: (scope, writeId) => shown(verifyWrite(parts, scope, writeId)),
    async cancelWrite(scope, writeId) {
      const write = await cancelWrite(scope, writeId);
      // What stood behind it may go on now.
      await wakeLane(parts, scope);
      return writeRecordOf(write);
    },
    compensateWrite: (scope, writeId) => shown(compensateWrite(parts, scope, writeId)),
    requestSync: (connectionId, mode, streams) =>
      jobs.syncConnection({ connectionId, mode, ...(streams && { streams }) }),
    async requestSyncOf(scope, mode, entities) {
      const streams = streamsFor(await platformOf(parts, scope), entities);
      await jobs.syncConnection({ connectionId: scope.connectionId, mode, streams });
    },
    syncStatus: async (scope) => syncStatus(scope, await platformOf(parts, scope)),
    async capabilities(scope) {
      const platform = await platformOf(parts, scope);
      const stored = Object.values(scope.entities).filter(({ view }) => view === undefined);
      return stored.map((entity) => capabilityOf(platform, entity));
    },
    wakeLane: (scope) => wakeLane(parts, scope),
    async close() {
      await settlements.close();
      await jobs.close();
    },
  };
}
