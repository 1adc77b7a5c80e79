import type { Entity } from '@unified/contract';
import {
  cancelWrite,
  listWrites,
  type Scope,
  type StoredWrite,
  type WriteQuery,
  type WriteRecord,
  writeRecordOf,
} from '@unified/store';
import { createDriverPool } from './drivers/driver-pool.ts';
import { type FileOf, type OpenFile, openFile } from './drivers/open-file.ts';
import type { EngineOptions } from './engine-options.ts';
import { createJobs } from './jobs/jobs.ts';
import type { SyncMode } from './jobs/sync-mode.ts';
import { wakeQueue } from './jobs/wake-queue.ts';
import { activePlatform, knownPlatform } from './model/active-platform.ts';
import { type Capability, capabilityOf, checkTakesFiles } from './model/capabilities.ts';
import { streamsFor } from './model/streams.ts';
import { allSystems } from './model/systems.ts';
import { acceptBatch, acceptWrite, type Submitted } from './queue/accept-write.ts';
import { actOnce, type WriteAction } from './queue/act-once.ts';
import { compensateWrite } from './queue/compensate-write.ts';
import type { EngineContext } from './queue/engine-context.ts';
import { planWrite } from './queue/plan-write.ts';
import { retryWrite } from './queue/retry-write.ts';
import { createSettlements } from './queue/settlements.ts';
import { storedWrite } from './queue/stored-write.ts';
import { verifyWrite } from './queue/verify-request.ts';
import { waitForWrite } from './queue/wait-for-write.ts';
import type { CheckWrite, WriteRequest } from './queue/write-request.ts';
import { type StreamStatus, syncStatus } from './sync/sync-status.ts';

/** Does something to a write, once per idempotency key, and gives the record that came of it. */
export type ActOnWrite = (
  scope: Scope,
  writeId: string,
  idempotencyKey?: string,
) => Promise<{ write: WriteRecord; replayed: boolean }>;

/** What the background does for requests. None of it but `openFile` calls a connected system; workers do. */
export interface Engine {
  /** Queues a write that `check` does not refuse, or finds the one with the same key. */
  submitWrite(scope: Scope, request: WriteRequest, check?: CheckWrite): Promise<Submitted>;
  /** The same for the writes of one request, all or none. */
  submitBatch(scope: Scope, requests: readonly WriteRequest[]): Promise<Submitted[]>;
  /** What a write would do, as a write record of status `planned`; nothing is stored. */
  planWrite(scope: Scope, request: WriteRequest, check?: CheckWrite): Promise<WriteRecord>;
  /** Throws SERVICE_NOT_SUPPORTED when the connected system could not tell which file belongs to a record of this entity. */
  checkTakesFiles(scope: Scope, entity: string): Promise<void>;
  /** The file of a record, kept here or in the connected system; undefined when it is in neither. */
  openFile(scope: Scope, entity: Entity, record: FileOf): Promise<OpenFile | undefined>;
  /** The write once it is settled, or as it stands after so many milliseconds. */
  waitForWrite(scope: Scope, writeId: string, milliseconds: number): Promise<WriteRecord>;
  /** Throws SERVICE_NOT_FOUND. */
  writeById(scope: Scope, writeId: string): Promise<WriteRecord>;
  /** Newest first. */
  listWrites(scope: Scope, query: WriteQuery): Promise<{ data: WriteRecord[]; nextCursor: string | null }>;
  /** The four throw SERVICE_WRITE_STATE when the state of the write does not allow it. */
  retryWrite: ActOnWrite;
  verifyWrite: ActOnWrite;
  cancelWrite: ActOnWrite;
  /** Gives the record of the new write that takes the other one back. Throws SERVICE_NOT_REVERSIBLE too. */
  compensateWrite: ActOnWrite;
  /** Has a connection synchronised as soon as a worker has room: these streams of it, or all. */
  requestSync(connectionId: string, mode: SyncMode, streams?: readonly string[]): Promise<void>;
  /** The same for the streams that these entities are made from, or all. Throws SERVICE_PLATFORM_BROKEN. */
  requestSyncOf(scope: Scope, mode: SyncMode, entities?: readonly string[]): Promise<void>;
  /** Removes the jobs of a connection that is removed. */
  forgetJobs(connectionId: string): Promise<void>;
  syncStatus(scope: Scope): Promise<StreamStatus[]>;
  /** What the connected system can do, for every entity of the scope. */
  capabilities(scope: Scope): Promise<Capability[]>;
  close(): Promise<void>;
}

/** Opens the engine for a process that serves requests; the database is reached when it is first needed. */
export function createEngine({ store, databaseUrl, log, systems = allSystems }: EngineOptions): Engine {
  const jobs = createJobs({ databaseUrl, log });
  const settlements = createSettlements(store);
  const drivers = createDriverPool({ store, systems, log });
  const parts: EngineContext = { store, systems, jobs, settlements, log };
  const shown = async (write: Promise<StoredWrite>) => writeRecordOf(await write);
  const acting =
    (operation: string, act: (scope: Scope, action: WriteAction) => Promise<StoredWrite>): ActOnWrite =>
    async (scope, writeId, idempotencyKey) => {
      const action = { operation, writeId, idempotencyKey };
      const { write, replayed } = await actOnce(scope, action, (inner) => act(inner, action));
      // There may be something new to do, or what stood behind a cancelled write may go on.
      if (!replayed) await wakeQueue(parts, scope);
      return { write: writeRecordOf(write), replayed };
    };
  return {
    submitWrite: (scope, request, check) => acceptWrite(parts, scope, request, check),
    submitBatch: (scope, requests) => acceptBatch(parts, scope, requests),
    planWrite: (scope, request, check) => planWrite(parts, scope, request, check),
    checkTakesFiles: async (scope, entity) => checkTakesFiles(await activePlatform(parts, scope), entity),
    openFile: (scope, entity, record) => openFile(drivers, scope, entity, record),
    waitForWrite: (scope, writeId, milliseconds) => shown(waitForWrite(parts, scope, writeId, milliseconds)),
    writeById: (scope, writeId) => shown(storedWrite(scope, writeId)),
    async listWrites(scope, query) {
      const { writes, nextCursor } = await listWrites(scope, query);
      return { data: writes.map(writeRecordOf), nextCursor };
    },
    retryWrite: acting('retryWrite', (scope, { writeId }) => retryWrite(scope, writeId)),
    verifyWrite: acting('verifyWrite', (scope, { writeId }) => verifyWrite(scope, writeId)),
    cancelWrite: acting('cancelWrite', (scope, { writeId }) => cancelWrite(scope, writeId)),
    compensateWrite: acting('compensateWrite', (scope, action) => compensateWrite(parts, scope, action)),
    requestSync: (connectionId, mode, streams) =>
      jobs.syncConnection({ connectionId, mode, ...(streams && { streams }) }),
    async requestSyncOf(scope, mode, entities) {
      const platform = await activePlatform(parts, scope);
      const { connectionId } = scope;
      await jobs.syncConnection({ connectionId, mode, ...(entities && { streams: streamsFor(platform, entities) }) });
    },
    forgetJobs: (connectionId) => jobs.forget(connectionId),
    syncStatus: async (scope) => syncStatus(scope, await knownPlatform(parts, scope)),
    async capabilities(scope) {
      const platform = await activePlatform(parts, scope);
      const stored = Object.values(scope.entities).filter(({ view }) => view === undefined);
      return stored.map((entity) => capabilityOf(platform, entity));
    },
    async close() {
      await settlements.close();
      await drivers.close();
      await jobs.close();
    },
  };
}
