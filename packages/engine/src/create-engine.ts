import {
  callForeignTool,
  type DescribedForeignTool,
  type ForeignResult,
  fetchImage,
  fetchJson,
  type Image,
  isSecretPath,
  type Platform,
  readForeignTools,
  type ThirdPartyAddress,
} from '@unified/connectors';
import type { Entity, EntityName } from '@unified/contract';
import {
  type ApplicationScope,
  type AuditOrigin,
  type ByteBudget,
  entityIn,
  hasColumn,
  listRawRows,
  listWrites,
  markWriteCancelled,
  type RawQuery,
  type Scope,
  type Store,
  type StoredRow,
  type StoredWrite,
  storedCustomFields,
  type WebhookDeliveryDetails,
  type WriteQuery,
  type WriteRecord,
  writeRecordOf,
} from '@unified/store';
import type { Logger } from 'pino';
import {
  type ApplicationConnections,
  applicationConnections,
  usablePlatforms,
} from './connections/application-connections.ts';
import { type AuthorizedConnections, authorizedConnections } from './connections/authorized-connections.ts';
import type { ConnectionWork } from './connections/connection-parts.ts';
import { attemptWrites, endPause } from './connections/resume-calls.ts';
import { type CallQuota, callQuota } from './drivers/call-quota.ts';
import { createDriverPool, type OnCall } from './drivers/driver-pool.ts';
import { type FileOf, type OpenFile, openFile } from './drivers/open-file.ts';
import { memoryQuotas, type Quotas } from './drivers/quotas.ts';
import { type FieldMappings, fieldMappings } from './field-mappings/field-mappings.ts';
import { lineageOf, type RecordLineage, type RowOf } from './field-mappings/lineage.ts';
import type { MappingJobs } from './field-mappings/mapped-connection.ts';
import { createJobs, type SyncMode, wakeQueue } from './jobs/jobs.ts';
import { createCallLog } from './logs/call-log.ts';
import { activeModel, knownModel } from './model/active-model.ts';
import { type Capability, capabilityOf, checkTakesFiles } from './model/capability.ts';
import { allSystems, type Systems } from './model/systems.ts';
import { type PassedThrough, passThrough, type SentPassthrough } from './passthrough/pass-through.ts';
import { acceptBatch, acceptWrite, type Submitted } from './queue/accept-write.ts';
import { planWrite } from './queue/plan-write.ts';
import { waitForWrite } from './queue/wait-for-write.ts';
import { actOnce, compensateWrite, retryWrite, verifyWrite, type WriteAction } from './queue/write-actions.ts';
import { type CheckWrite, type EngineContext, storedWrite, type WriteRequest } from './queue/write-request.ts';
import { concealRow } from './raw/conceal-row.ts';
import { type RawColumn, type RawTable, rawColumns, rawTables } from './raw/raw-tables.ts';
import { type StreamStatus, syncStatus } from './sync/sync-status.ts';
import { streamsOf, type WantedSync } from './sync/wanted-streams.ts';
import { sendTestEvent } from './webhooks/send-test-event.ts';

export interface EngineOptions {
  readonly store: Store;
  /** The database of the store; the job queue is also stored in it, in a separate schema. */
  readonly databaseUrl: string;
  readonly log: Logger;
  /** Kinds of connected systems; by default all platforms. */
  readonly systems?: Systems;
  /**
   * Divides the calls to connected systems among all engines and workers that share it. By default, each has separate quotas.
   */
  readonly quotas?: Quotas;
  /** Called after each call to a connected system, for metrics. */
  readonly onCall?: OnCall | undefined;
}

/** An action on a write, carried out once per idempotency key. Returns the resulting write record. */
export type ActOnWrite = (
  scope: Scope,
  writeId: string,
  idempotencyKey?: string,
) => Promise<{ write: WriteRecord; replayed: boolean }>;

/**
 * Background work for requests. Only `openFile`, `passThrough` and field mappings call a connected system, and only
 * `sendTestEvent` a webhook endpoint; everything else is left to workers.
 */
export interface Engine extends ConnectionWork {
  /** Queues a write unless `check` refuses it, or returns the one with the same key. */
  submitWrite(scope: Scope, request: WriteRequest, check?: CheckWrite): Promise<Submitted>;
  /** The same for the writes of one request, all or none. */
  submitBatch(scope: Scope, requests: readonly WriteRequest[]): Promise<Submitted[]>;
  /** Plans a write: returns a write record of status `planned` and stores nothing. */
  planWrite(scope: Scope, request: WriteRequest, check?: CheckWrite): Promise<WriteRecord>;
  /** Throws SERVICE_NOT_SUPPORTED when the connected system cannot store which file belongs to a record of this entity. */
  checkTakesFiles(scope: Scope, entity: string): Promise<void>;
  /** The file of a record, stored by this service or in the connected system; undefined if there is none. */
  openFile(scope: Scope, entity: Entity, record: FileOf): Promise<OpenFile | undefined>;
  /** The write once it is settled, or its current state after this number of milliseconds. */
  waitForWrite(scope: Scope, writeId: string, milliseconds: number): Promise<WriteRecord>;
  /** Throws SERVICE_NOT_FOUND. */
  writeById(scope: Scope, writeId: string): Promise<WriteRecord>;
  /** Newest first. */
  listWrites(
    scope: Scope,
    query: WriteQuery,
    budget?: ByteBudget,
  ): Promise<{ data: WriteRecord[]; nextCursor: string | null }>;
  /** These four methods throw SERVICE_WRITE_STATE when the state of the write does not allow it. */
  retryWrite: ActOnWrite;
  verifyWrite: ActOnWrite;
  cancelWrite: ActOnWrite;
  /** Returns the new write that reverses the other one. Also throws SERVICE_NOT_REVERSIBLE. */
  compensateWrite: ActOnWrite;
  /** Synchronizes these streams of a connection, or all of them, as soon as a worker is free. */
  requestSync(connectionId: string, mode: SyncMode, streams?: readonly string[]): Promise<void>;
  /** Synchronizes these streams and those of these entities, or all. Throws SERVICE_PLATFORM_BROKEN and SERVICE_INVALID_BODY. */
  requestSyncOf(scope: Scope, mode: SyncMode, wanted?: WantedSync): Promise<void>;
  /** The connections of an application, for its own clients; `origin` is the request that changes them. */
  connectionsOf(application: ApplicationScope, origin: AuditOrigin): ApplicationConnections;
  /** The field mappings of the connections of an application; `origin` is the request that changes them. */
  mappingsOf(application: ApplicationScope, origin: AuditOrigin): FieldMappings;
  /** The connections of an application, for its end users. */
  authorizedConnectionsOf(application: ApplicationScope): AuthorizedConnections;
  /** The image at a public address, or null. */
  imageAt(url: string): Promise<Image | null>;
  /** The JSON document at a public address, or undefined. */
  documentAt(url: string): Promise<unknown>;
  /** MCP servers of third parties. Rejects with `ThirdPartyFailure`. */
  readonly thirdParties: {
    readTools(address: ThirdPartyAddress): Promise<DescribedForeignTool[]>;
    /** Calls a tool once. */
    callTool(
      address: ThirdPartyAddress,
      name: string,
      given: Readonly<Record<string, unknown>>,
    ): Promise<ForeignResult>;
  };
  /** Sends a test event to a webhook endpoint and waits for its response. Null if the application has no such endpoint. */
  sendTestEvent(application: ApplicationScope, endpointId: string): Promise<WebhookDeliveryDetails | null>;
  /** The kinds of systems that can be connected. */
  platforms(): Platform[];
  syncStatus(scope: Scope): Promise<StreamStatus[]>;
  /** How many calls of the connected system are in progress and allowed; undefined if the platform cannot be used. */
  callQuota(scope: Scope): Promise<CallQuota | undefined>;
  /** The streams of the connection, with the number of their rows and their columns. */
  rawTables(scope: Scope): Promise<RawTable[]>;
  /** The columns of one stream, and whether its rows have a given other column. Throws SERVICE_NOT_FOUND. */
  rawTable(scope: Scope, stream: string): Promise<{ columns: RawColumn[]; hasColumn(name: string): Promise<boolean> }>;
  /** Rows of a stream without secrets; fewer if more would exceed the budget. Throws SERVICE_INVALID_CURSOR. */
  rawRows(
    scope: Scope,
    query: RawQuery,
    budget?: ByteBudget,
  ): Promise<{ rows: StoredRow[]; nextCursor: string | null }>;
  /**
   * Calls the connected system for a client, once, and returns what it responds. Throws SERVICE_NOT_SUPPORTED and
   * SERVICE_INVALID_BODY before the system is called, and an error if the system does not respond.
   */
  passThrough(scope: Scope, sent: SentPassthrough): Promise<PassedThrough>;
  /** Where the values of records come from, in the order of the records. */
  lineage(scope: Scope, records: readonly RowOf[]): Promise<RecordLineage[]>;
  /** What the connected system supports, for every entity. */
  capabilities(scope: Scope): Promise<Capability[]>;
  /** What it supports for one entity. */
  capability(scope: Scope, entity: EntityName): Promise<Capability>;
  close(): Promise<void>;
}

/** Opens the engine for a process that serves requests. Connects to the database on first use. */
export function createEngine(options: EngineOptions): Engine {
  const { store, databaseUrl, log, systems = allSystems, quotas = memoryQuotas(), onCall } = options;
  const jobs = createJobs({ databaseUrl, log });
  const calls = createCallLog({ store, log });
  const drivers = createDriverPool({ store, systems, log, quotas, calls, onCall });
  const context: EngineContext = { store, systems, jobs, log };
  const shown = async (write: Promise<StoredWrite>) => writeRecordOf(await write);
  const acting =
    (operation: string, act: (scope: Scope, action: WriteAction) => Promise<StoredWrite>): ActOnWrite =>
    async (scope, writeId, idempotencyKey) => {
      const action = { operation, writeId, idempotencyKey };
      const { write, replayed } = await actOnce(scope, action, (inner) => act(inner, action));
      // The action may have queued a write, or unblocked those behind a cancelled one.
      if (!replayed) await wakeQueue(context, scope);
      return { write: writeRecordOf(write), replayed };
    };
  const connectionWork: ConnectionWork = {
    requestSync: (connectionId, mode) => jobs.addSyncJob({ connectionId, mode }),
    endPause: (platform, settings) => endPause({ store, quotas }, platform, settings),
    attemptWrites: (connectionId) => attemptWrites(context, connectionId),
    forgetJobs: (connectionId) => jobs.forget(connectionId),
  };
  const mappingJobs: MappingJobs = {
    requestDerivation: (connectionId) => jobs.addDerivationJob(connectionId),
    requestSync: (connectionId, mode, streams) => jobs.addSyncJob({ connectionId, mode, streams }),
  };
  return {
    submitWrite: (scope, request, check) => acceptWrite(context, scope, request, check),
    submitBatch: (scope, requests) => acceptBatch(context, scope, requests),
    planWrite: (scope, request, check) => planWrite(context, scope, request, check),
    checkTakesFiles: async (scope, entity) => checkTakesFiles(await activeModel(context, scope), entity),
    openFile: (scope, entity, record) => openFile(drivers, scope, entity, record),
    waitForWrite: (scope, writeId, milliseconds) => shown(waitForWrite(scope, writeId, milliseconds)),
    writeById: (scope, writeId) => shown(storedWrite(scope, writeId)),
    async listWrites(scope, query, budget) {
      const { writes, nextCursor } = await listWrites(scope, query, budget);
      return { data: writes.map(writeRecordOf), nextCursor };
    },
    retryWrite: acting('retryWrite', (scope, { writeId }) => retryWrite(scope, writeId)),
    verifyWrite: acting('verifyWrite', (scope, { writeId }) => verifyWrite(scope, writeId)),
    cancelWrite: acting('cancelWrite', (scope, { writeId }) => markWriteCancelled(scope, writeId)),
    compensateWrite: acting('compensateWrite', (scope, action) => compensateWrite(context, scope, action)),
    requestSync: (connectionId, mode, streams) => jobs.addSyncJob({ connectionId, mode, ...(streams && { streams }) }),
    async requestSyncOf(scope, mode, wanted = {}) {
      const streams = streamsOf(await activeModel(context, scope), wanted);
      const { acceptColumns, acceptDeletes } = wanted;
      const accepted = { ...(acceptColumns && { acceptColumns }), ...(acceptDeletes && { acceptDeletes }) };
      const more = { ...(streams && { streams }), ...accepted };
      await jobs.addSyncJob({ connectionId: scope.connectionId, mode, ...more });
    },
    forgetJobs: connectionWork.forgetJobs,
    endPause: connectionWork.endPause,
    attemptWrites: connectionWork.attemptWrites,
    connectionsOf: (application, origin) =>
      applicationConnections({ store, systems, engine: connectionWork, quotas, origin }, application),
    mappingsOf: (application, origin) =>
      fieldMappings({ store, systems, drivers, jobs: mappingJobs, origin }, application),
    authorizedConnectionsOf: (application) =>
      authorizedConnections({ store, systems, engine: connectionWork, log }, application),
    imageAt: fetchImage,
    documentAt: (url) => fetchJson(url),
    thirdParties: { readTools: readForeignTools, callTool: callForeignTool },
    sendTestEvent: (application, endpointId) => sendTestEvent(store, application, endpointId),
    platforms: () => usablePlatforms(systems),
    rawTables: async (scope) => rawTables(scope, await knownModel(context, scope)),
    async rawTable(scope, stream) {
      const columns = await rawColumns(scope, await knownModel(context, scope), stream);
      return { columns, hasColumn: async (name) => !isSecretPath(name) && (await hasColumn(scope, stream, name)) };
    },
    async rawRows(scope, query, budget) {
      const { rows, nextCursor } = await listRawRows(scope, query, budget);
      return { rows: rows.map(({ row, ...each }) => ({ ...each, row: concealRow(row) })), nextCursor };
    },
    passThrough: (scope, sent) => passThrough({ drivers, context, log }, scope, sent),
    syncStatus: async (scope) => syncStatus(scope, await knownModel(context, scope)),
    callQuota: (scope) => callQuota(drivers, scope),
    async lineage(scope, records) {
      // Read again: the version that was read together with a token may be some seconds old.
      const { applicationId, connectionId } = scope;
      const model = await activeModel(context, store.scope({ applicationId, connectionId }));
      return lineageOf(scope, model, records);
    },
    async capabilities(scope) {
      const model = await activeModel(context, scope);
      const stored = Object.values(scope.entities).filter(({ view }) => view === undefined);
      const names = stored.map(({ name }) => name);
      const customFields = await storedCustomFields(scope, names);
      return stored.map((entity) => capabilityOf(model, entity, customFields.get(entity.name)));
    },
    async capability(scope, entity) {
      const customFields = (await storedCustomFields(scope, [entity])).get(entity);
      return capabilityOf(await activeModel(context, scope), entityIn(scope, entity), customFields);
    },
    async close() {
      await drivers.close();
      await calls.close();
      await jobs.close();
    },
  };
}
