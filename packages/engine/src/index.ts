export { type DescribedForeignTool, ThirdPartyFailure, webhookAddressFault } from '@unified/connectors';
export type { ApplicationConnections } from './connections/application-connections.ts';
export type {
  AuthorizedClient,
  AuthorizedConnections,
  AuthorizedSystem,
} from './connections/authorized-connections.ts';
export { brokenPlatforms } from './connections/broken-platforms.ts';
export { checkSystem, type StreamReport, type SystemProblem, type SystemReport } from './connections/check-system.ts';
export {
  type CheckProgress,
  initialProgress,
  type Preview,
  type StreamOutcome,
} from './connections/check-with-progress.ts';
export { connectSystem, type NewSystem } from './connections/connect-system.ts';
export type { ConnectionHealth } from './connections/connection-health.ts';
export { type ConnectionOverview, connectionOverviews } from './connections/connection-overviews.ts';
export type { ConnectionParts, Within } from './connections/connection-parts.ts';
export { refuseOtherCustomer } from './connections/connection-refusals.ts';
export { refuseConnected, SystemConnected } from './connections/connections-to-system.ts';
export { explainFailure, type FailureCause } from './connections/explain-failure.ts';
export { ConnectionNotFound, findConnection } from './connections/find-connection.ts';
export { patientDriver, type Wait } from './connections/patient-driver.ts';
export { removeConnection } from './connections/remove-connection.ts';
export { type SettingField, settingFields, settingsOfForm } from './connections/setting-fields.ts';
export type { ShownConnection } from './connections/shown-connections.ts';
export { type ConnectionChanges, updateConnection } from './connections/update-connection.ts';
export type { EngineOptions } from './create-engine.ts';
export { type ActOnWrite, createEngine, type Engine } from './create-engine.ts';
export type { CallQuota } from './drivers/call-quota.ts';
export type { FileOf, OpenFile } from './drivers/open-file.ts';
export {
  memoryQuotas,
  type Pause,
  type Priority,
  type QuotaLease,
  type Quotas,
  type QuotaUsage,
} from './drivers/quotas.ts';
export type { RetryPolicy } from './drivers/retry-policy.ts';
export { type SharedQuotas, sharedQuotas } from './drivers/shared-quotas.ts';
export type { DraftedMapping } from './field-mappings/draft.ts';
export type { FieldMappings, NewMapping, TriedMapping } from './field-mappings/field-mappings.ts';
export type { FieldLineage, RecordLineage, RowOf } from './field-mappings/lineage.ts';
export type { MappingPreview } from './field-mappings/preview.ts';
export type { Derivation, ShownMapping } from './field-mappings/shown-mapping.ts';
export type { SourceColumn, SourceTable } from './field-mappings/source-tables.ts';
export type { MappedRow } from './field-mappings/test-fetch.ts';
export type { SyncMode } from './jobs/jobs.ts';
export { LogWriter, type WriterLimits } from './logs/log-writer.ts';
export type { Capability } from './model/capability.ts';
export { allSystems, platformIn, type Settings, type Systems } from './model/systems.ts';
export type { PassedThrough, SentPassthrough } from './passthrough/pass-through.ts';
export { orInDoubt, WriteInDoubt } from './queue/write-in-doubt.ts';
export { type CheckWrite, type WriteRequest, writeNotFound } from './queue/write-request.ts';
export type { RawColumn, RawTable } from './raw/raw-tables.ts';
export { startWorker, type Worker, type WorkerOptions } from './start-worker.ts';
export type { SyncProblem } from './sync/stream-problems.ts';
export type { StreamStatus } from './sync/sync-status.ts';
