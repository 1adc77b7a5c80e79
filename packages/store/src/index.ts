export type { Addition, ChangeKind } from './changes/append-changes.ts';
export { type Change, changesAfter, latestChange } from './changes/changes-after.ts';
export { type Bucket, type BucketObject, bucketStorage } from './contents/bucket-storage.ts';
export { type ContentDigest, digestOf } from './contents/content-digest.ts';
export type { ByteRange, ContentStorage } from './contents/content-storage.ts';
export { type Content, findContent, keepContent, openContent } from './contents/find-content.ts';
export { storeContent } from './contents/store-content.ts';
export { sweepContents } from './contents/sweep-contents.ts';
export { siblingDatabase } from './embedded/sibling-database.ts';
export { type Embedded, type EmbeddedOptions, startEmbedded } from './embedded/start-embedded.ts';
export {
  type Application,
  applicationNamed,
  applicationSecret,
  createApplication,
  listApplications,
} from './identity/applications.ts';
export { ConnectionNameTaken } from './identity/connection-name.ts';
export {
  connectionByToken,
  issueConnectionToken,
  type NewToken,
  revokeConnectionToken,
  revokeOtherTokens,
  type TokenHolder,
} from './identity/connection-tokens.ts';
export {
  activateConnection,
  type Connection,
  type ConnectionStatus,
  connectionById,
  connectionSettings,
  createConnection,
  deactivateConnection,
  listConnections,
  type NewConnection,
  renameConnection,
  replaceSchedule,
  replaceSettings,
  type SyncSchedule,
} from './identity/connections.ts';
export { deleteConnection } from './identity/delete-connection.ts';
export { loadKey, type SecretKey } from './identity/secret-key.ts';
export {
  type JoinOptions,
  joinInstallation,
  type Membership,
  publicAddressOf,
} from './installation/join-installation.ts';
export { AddressConflict, type PublicAddress, type WantedAddress } from './installation/public-address.ts';
export type { Heard } from './listener.ts';
export { deleteRawRows } from './raw/delete-raw-rows.ts';
export { forgetPasses, missingAfterPass } from './raw/missing-after-pass.ts';
export type { Pass, RawRow } from './raw/raw-row.ts';
export { rawRows, rawRowsAfter, rawStreams } from './raw/raw-rows.ts';
export {
  forgetRowProblems,
  type RowProblem,
  rowProblems,
  type StreamProblem,
  saveRowProblems,
} from './raw/row-problems.ts';
export { type SavedRows, saveRawRows } from './raw/save-raw-rows.ts';
export type { Condition, Operator } from './records/condition.ts';
export { deleteRecords } from './records/delete-records.ts';
export { documents, find } from './records/find.ts';
export { type PageQuery, type PageResult, page } from './records/page.ts';
export { rebase } from './records/rebase.ts';
export { linkTo } from './records/render-document.ts';
export { type Saved, saveRecords } from './records/save-records.ts';
export {
  pendingRelations,
  recordsToRederive,
  type StaleRows,
  type UnresolvedField,
  unresolvedFields,
} from './records/stale-records.ts';
export { type Target, type TargetKey, targets } from './records/targets.ts';
export { migrate } from './schema/migrate.ts';
export { refreshStatistics } from './schema/refresh-statistics.ts';
export { entityIn, type Scope, type ScopeOf } from './scope.ts';
export { openStore, ping, type Store, type StoreOptions } from './store.ts';
export {
  dueConnections,
  markSyncDue,
  markUnreadDue,
  planNextSync,
  platformsInUse,
} from './sync/due-connections.ts';
export { type SyncState, saveSyncState, syncState, syncStates } from './sync/sync-state.ts';
export { watchDatabase } from './watch-database.ts';
export { type Enqueued, enqueueWrite, type NewWrite } from './writes/enqueue-write.ts';
export { forgetExpiredKeys } from './writes/forget-keys.ts';
export { claimKey, type Idempotency, moveKey } from './writes/idempotency.ts';
export { ConnectionBusy, type LaneLocks, laneLocks, withoutWorkers } from './writes/lane-locks.ts';
export { lanesWithWork, nextWrite } from './writes/lanes.ts';
export { listWrites, type WriteQuery, writeById } from './writes/list-writes.ts';
export { onSettled } from './writes/settled.ts';
export {
  type StoredStep,
  type StoredWrite,
  type WriteError,
  type WriteLeftover,
  type WriteOp,
  type WriteRecord,
  type WriteResolvedRef,
  type WriteResult,
  type WriteStatus,
  type WriteStep,
  type WriteWarning,
  writeRecordOf,
} from './writes/stored-write.ts';
export {
  cancelWrite,
  type Outcome,
  type Progress,
  postpone,
  retryWrite,
  saveSteps,
  settle,
  startAttempt,
  verifyWrite,
} from './writes/write-progress.ts';
