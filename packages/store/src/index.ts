export type { ApplicationScope } from './access/application-scope.ts';
export type { ByteRange, ContentStorage } from './access/content-storage.ts';
export { currentPosition, replicaUseOf } from './access/current-position.ts';
export { entityIn, type Scope, type ScopeOf } from './access/scope.ts';
export type { ShownRecords } from './access/shown-records.ts';
export { ping, type Store } from './access/store.ts';
export { type AuditChange, type AuditOrigin, audited, auditedInScope } from './audit/audited.ts';
export { type AuditEntry, type AuditQuery, pageOfAudit } from './audit/list-audit.ts';
export {
  type Addition,
  type ChangeKind,
  lockChangeCursor,
  MappingChanged,
  watchChanges,
} from './changes/change-log.ts';
export {
  type Change,
  type ChangeSelection,
  type ChangesAfter,
  changesAfter,
  latestChange,
} from './changes/read-changes.ts';
export { recordsState } from './changes/records-state.ts';
export { type Bucket, type BucketObject, bucketStorage } from './contents/bucket-storage.ts';
export { type ContentDigest, digestOf } from './contents/content-digest.ts';
export { type Content, findContent, keepContent, openContent } from './contents/find-content.ts';
export { storeContent } from './contents/store-content.ts';
export { sweepContents } from './contents/sweep-contents.ts';
export {
  addDataMapping,
  type Cardinality,
  type DataMapping,
  dataMappingById,
  hasDataMapping,
  listDataMappings,
  lockDataMapping,
  removeDataMapping,
} from './data-mappings/data-mappings.ts';
export { externalValuesOf, idsByExternalValue } from './data-mappings/external-values.ts';
export { type ConflictExample, MappingConflict } from './data-mappings/mapping-conflicts.ts';
export {
  type MappingPair,
  type PairQuery,
  type PairSet,
  pageOfPairs,
  type ReplacedPairs,
  replacePairs,
  setCardinality,
  TooManyPairs,
} from './data-mappings/mapping-pairs.ts';
export { ClusterRefusal } from './distribution/cluster.ts';
export { connectionPlace, type NodeUse, nodeUses, type ShardPlace } from './distribution/connection-place.ts';
export { type Distribution, distribute } from './distribution/distribute.ts';
export { type ConnectionMove, moveConnection } from './distribution/move-connection.ts';
export { type BackupNote, type BackupOptions, backUp } from './embedded/back-up.ts';
export { DataDirectoryError } from './embedded/data-directory-error.ts';
export { hasEmbedded } from './embedded/remembered.ts';
export { type RestoreOptions, restoreBackup } from './embedded/restore-backup.ts';
export { siblingDatabase } from './embedded/sibling-database.ts';
export { type Embedded, type EmbeddedOptions, startEmbedded } from './embedded/start-embedded.ts';
export {
  activateRevision,
  customStreamsOf,
  derivedVersion,
  markDerived,
  replaceCustomStreams,
  type StoredCustomStream,
  underivedConnections,
} from './field-mappings/active-mappings.ts';
export {
  type ActivatedRevision,
  type ActiveFieldMapping,
  activeFieldMappings,
  addRevision,
  type FieldMappingRevision,
  fieldMappingRevision,
  newestRevision,
  pageOfRevisions,
} from './field-mappings/revisions.ts';
export {
  type ApiVersion,
  type ApplicationSettings,
  apiVersionOf,
  applicationSettings,
  changeApplicationSettings,
  lockApplicationSettings,
} from './identity/application-settings.ts';
export {
  type Application,
  applicationNamed,
  createApplication,
  listApplications,
} from './identity/applications.ts';
export {
  type AuthenticatedClient,
  applicationSecret,
  type ClientSecret,
  clientBySecret,
  createClientSecret,
  listClientSecrets,
  type NewClientSecret,
  readClientSecret,
  revokeClientSecret,
} from './identity/client-secrets.ts';
export {
  type ClientSetting,
  clearClientSetting,
  clientSetting,
  DEFAULT_LOG_RETENTION,
  type SettingName,
  setClientSetting,
  type Whitelabel,
} from './identity/client-settings.ts';
export {
  applicationOfClient,
  ClientEmailTaken,
  type ClientFields,
  type ClientQuery,
  clientById,
  listClients,
  lockClient,
  type OAuthClient,
  registerClient,
  updateClient,
} from './identity/clients.ts';
export {
  activeConnectionsTo,
  connectionsOfUnknownSystem,
  connectionsToSystem,
  lockSystem,
  rememberSystem,
} from './identity/connected-systems.ts';
export { noteAcceptedCredentials, noteRefusedCredentials } from './identity/connection-events.ts';
export { type ConnectionFailure, connectionFailures, type KnownFailures } from './identity/connection-failures.ts';
export {
  type ConnectionList,
  connectionList,
  lockConnectionList,
  setConnectionForms,
  setConnectionList,
} from './identity/connection-lists.ts';
export { ConnectionNameTaken } from './identity/connection-name.ts';
export type { OwnedConnection } from './identity/connection-owner.ts';
export {
  CONNECTION_TOKEN_FORM,
  type ConnectionToken,
  connectionByToken,
  connectionsByTokenHash,
  DEFAULT_SCOPES,
  issueConnectionToken,
  type NewToken,
  pageOfConnectionTokens,
  revokeConnectionToken,
  revokeOtherTokens,
  type TokenAccess,
  type TokenHolder,
  type TokenScope,
} from './identity/connection-tokens.ts';
export {
  activateConnection,
  assignEndCustomer,
  type Connection,
  type ConnectionStatus,
  connectionById,
  connectionSettings,
  createConnection,
  deactivateConnection,
  expiredConnections,
  hasConnections,
  listConnections,
  lockConnection,
  markConnectionDeleted,
  type NewConnection,
  pageOfConnections,
  renameConnection,
  replaceMetadata,
  replaceSchedule,
  replaceSettings,
  restoreDeletedConnection,
  type SyncSchedule,
} from './identity/connections.ts';
export { deleteConnection } from './identity/delete-connection.ts';
export { type EmbedSettings, embedSettings, saveEmbedSettings } from './identity/embed-settings.ts';
export {
  createEmbedSupportRequest,
  type EmbedSupportQuery,
  type EmbedSupportRequest,
  listEmbedSupportRequests,
  lockEmbedSupportRequest,
  setEmbedSupportStatus,
} from './identity/embed-support-requests.ts';
export { type KeptTokens, keptTokens, type TokenOwner } from './identity/kept-tokens.ts';
export {
  type Claim,
  claimRequest,
  forgetExpiredRequests,
  type KeyedRequest,
  releaseKey,
  saveResponse,
} from './identity/keyed-requests.ts';
export { readableSettings } from './identity/readable-settings.ts';
export {
  addRedirectUri,
  deleteRedirectUri,
  listRedirectUris,
  lockRedirectUri,
  type RedirectUri,
  RedirectUriTaken,
  replaceRedirectUri,
} from './identity/redirect-uris.ts';
export {
  deleteSettingsForm,
  formsOfConnection,
  listSettingsForms,
  lockSettingsForm,
  type SettingsForm,
  saveSettingsForm,
} from './identity/settings-forms.ts';
export {
  createSupportRequest,
  listSupportRequests,
  type NewSupportRequest,
  type SupportRequest,
} from './identity/support-requests.ts';
export { unknownConnection } from './identity/unknown-connections.ts';
export {
  hasInstallation,
  type JoinOptions,
  joinInstallation,
  type Membership,
  publicAddressOf,
} from './installation/join-installation.ts';
export { AddressConflict, type PublicAddress, type WantedAddress } from './installation/public-address.ts';
export {
  addRequestCounts,
  forgetRequestCounts,
  type NewRequests,
  type RequestCount,
} from './installation/request-counts.ts';
export { rewriteLinks } from './installation/rewrite-links.ts';
export { type PoolUse, poolUseOf, type Workload, workloadOf } from './installation/workload.ts';
export { addMasterKey, KeyRotationRefused, retireOtherMasterKeys } from './keys/key-ring.ts';
export { type DataKeyRotation, type Resealed, resealSecrets, rotateDataKey } from './keys/reseal-secrets.ts';
export { type CallSlot, type CallSlots, callSlots, type StoredPause } from './locks/call-slots.ts';
export {
  ConnectionBusy,
  type ConnectionLock,
  type ConnectionLocks,
  connectionLocks,
  withoutWorkers,
} from './locks/connection-locks.ts';
export { LockLost } from './locks/lock-lost.ts';
export {
  type AccessRequest,
  type AccessStatus,
  accessRequestById,
  endProposed,
  type NewProposal,
  type Proposal,
  type ProposedCall,
  pageOfAccessRequests,
  requestTool,
  saveDecision,
  startProposed,
  storeProposal,
} from './mcp/access-requests.ts';
export { type CallLimit, countCall, type Exceeded } from './mcp/call-counts.ts';
export {
  type CompanyCredential,
  deleteCompanyCredential,
  listCompanyCredentials,
  type McpConnection,
  saveCompanyCredential,
} from './mcp/company-credentials.ts';
export { belongsToOther, type EndCustomerScope, endCustomerScope, knownEndCustomer } from './mcp/end-customer-scope.ts';
export {
  connectionsOfEndCustomer,
  createEndCustomer,
  deleteEndCustomer,
  type EndCustomer,
  type EndCustomerFields,
  lockEndCustomer,
  pageOfEndCustomers,
  updateEndCustomer,
} from './mcp/end-customers.ts';
export {
  createMcpRole,
  deleteMcpRole,
  listMcpRoles,
  type McpPreset,
  type McpRole,
  type McpRoleFields,
  mcpRoleById,
  type PlatformPreset,
  updateMcpRole,
} from './mcp/mcp-roles.ts';
export {
  createMcpUser,
  deleteMcpUser,
  type McpUser,
  type McpUserFields,
  mcpUserById,
  pageOfMcpUsers,
  updateMcpUser,
} from './mcp/mcp-users.ts';
export {
  createPersonalAccessToken,
  isPersonalAccessToken,
  listPersonalAccessTokens,
  type McpTokenHolder,
  mcpUserByToken,
  mcpUserByTokenId,
  PERSONAL_ACCESS_TOKEN_FORM,
  type PersonalAccessToken,
  revokePersonalAccessToken,
} from './mcp/personal-access-tokens.ts';
export { policyOfUser, type UserPolicy } from './mcp/policy-of-user.ts';
export {
  type Guardrails,
  type PolicySettings,
  policySettings,
  savePolicySettings,
  type ToolRule,
} from './mcp/policy-settings.ts';
export {
  createSetupLink,
  endSetupLink,
  listSetupLinks,
  type OpenedSetupLink,
  revokeSetupLink,
  type SetupLink,
  setupLinkById,
  setupLinkByToken,
  useSetupLink,
} from './mcp/setup-links.ts';
export {
  type AddressOfServer,
  addressOfServer,
  createThirdPartyServer,
  deleteThirdPartyServer,
  type ForeignTool,
  listThirdPartyServers,
  MOST_SERVERS,
  saveForeignTools,
  saveShownTools,
  saveThirdPartyServer,
  type ThirdPartyServer,
  thirdPartyServer,
  thirdPartyServerByPrefix,
} from './mcp/third-party-servers.ts';
export {
  endToolCall,
  logConfirmedRead,
  logToolCall,
  type NewToolCall,
  pageOfToolCalls,
  type ToolCall,
  type ToolCallOutcome,
  type ToolCallQuery,
  type ToolDecision,
} from './mcp/tool-calls.ts';
export { ValueTaken } from './mcp/value-taken.ts';
export type { ProvenTable } from './moving/copied-tables.ts';
export { MoveError } from './moving/move-error.ts';
export { type Move, type MoveOptions, moveInstallation } from './moving/move-installation.ts';
export { compileQuery, type QueryInput, type QueryParameter } from './mql/compile-query.ts';
export {
  COST_LIMIT,
  executeQuery,
  explainQuery,
  type QueryPlan,
  type QueryRows,
} from './mql/execute-query.ts';
export { type QueryTable, type QueryTables, queryTables } from './mql/query-table.ts';
export type { ColumnType } from './mql/query-types.ts';
export {
  type AgentRequest,
  createAgentRequest,
  grantAgentRequest,
  isAgentCode,
  type OpenAgentRequest,
  openAgentRequest,
  refuseAgentRequest,
} from './oauth/agent-requests.ts';
export {
  type AgentGrant,
  endAuthorizationsOfClient,
  isAgentRefreshToken,
  mcpUserByAuthorization,
  redeemAgentCode,
  refreshAgentGrant,
  revokeAgentAuthorization,
} from './oauth/agent-tokens.ts';
export {
  type AgentAuthorization,
  endAuthorizationOfUser,
  listAgentAuthorizations,
} from './oauth/agents-of-user.ts';
export {
  type Authorized,
  connectionsByCodes,
  forgetExpiredCodes,
  issueAuthorizationCode,
  redeemAuthorizationCode,
  type SentCode,
  type StorePending,
} from './oauth/authorization-codes.ts';
export {
  type AuthorizationSession,
  type AuthorizingClient,
  authorizationSession,
  authorizingClient,
  countAuthorizationCheck,
  createAuthorizationSession,
  endAuthorizationSession,
  forgetExpiredSessions,
  interruptAuthorizationCheck,
  type NewSession,
  saveAuthorization,
  saveAuthorizationProgress,
  startAuthorizationCheck,
} from './oauth/authorization-sessions.ts';
export {
  type CreatedEmbedSession,
  createEmbedSession,
  type EmbedSession,
  embedSession,
  endEmbedSessionsOf,
  lockEmbedSessions,
  type NewEmbedSession,
  type OpeningSession,
  openEmbedSession,
  recentEmbedSessions,
  setEmbedSwitch,
} from './oauth/embed-sessions.ts';
export {
  type KeyPair,
  type PublicKey,
  type SigningKey,
  signingKey,
  type VerificationKey,
  verificationKey,
  verificationKeys,
} from './oauth/signing-keys.ts';
export {
  type FamilyHolder,
  familyHolder,
  type Granted,
  type GrantRefusal,
  type IssuedTokens,
  refreshTokens,
  revokeClientTokens,
  revokeRefreshToken,
  revokeTokenFamily,
  startTokenFamily,
  type TokenGrant,
} from './oauth/token-families.ts';
export { openStore, type StoreOptions } from './open-store.ts';
export {
  type ConsoleSession,
  consoleSessionBySecret,
  endConsoleSession,
  endOtherSessions,
  listConsoleSessions,
  type NewConsoleSession,
  type OpenConsoleSession,
  type SignInMethod,
  startConsoleSession,
} from './operators/console-sessions.ts';
export {
  type ConsoleToken,
  type ConsoleTokenHolder,
  consoleTokenHolder,
  endTokensOfOperator,
  issueManagementToken,
  issueSessionToken,
} from './operators/console-tokens.ts';
export {
  addOperator,
  bindSubject,
  type ConsoleOperator,
  changeOperator,
  hasOperators,
  hasOtherAdmin,
  listOperators,
  lockOperators,
  type NewOperator,
  type OperatorChange,
  type OperatorRole,
  operatorByEmail,
  operatorById,
  operatorBySubject,
  operatorWithPassword,
  removeOperator,
  unbindSubject,
} from './operators/operators.ts';
export { countSignIn, forgetSignIns } from './operators/sign-in-failures.ts';
export {
  createSignInLink,
  deleteSignInLinks,
  isSignInLink,
  redeemSignInLink,
  type SignInLink,
} from './operators/sign-in-links.ts';
export {
  hasColumn,
  listRawRows,
  type RawQuery,
  type RawSort,
  type StoredRow,
  sampledColumns,
} from './raw/list-raw-rows.ts';
export {
  countRawRows,
  deleteRawRows,
  forgetPasses,
  type HashedRow,
  hashRows,
  type KeyedRow,
  missingAfterPass,
  type Pass,
  rawKeysAfter,
  rawRows,
  rawRowsAfter,
  rawRowsInParts,
  rawRowsSaved,
  rawStreams,
  type SavedRows,
  saveRawRows,
} from './raw/raw-rows.ts';
export type { RawCondition, RawOperator } from './raw/raw-value.ts';
export { type RowReading, rawKeyPages, rawRowPages } from './raw/row-pages.ts';
export {
  forgetRowProblems,
  type RowProblem,
  rowProblems,
  type StreamProblem,
  saveRowProblems,
} from './raw/row-problems.ts';
export { CUSTOM_KINDS, type CustomType } from './records/custom/custom-values.ts';
export {
  type FilteredCustomField,
  type StoredCustomField,
  saveCustomFields,
  storedCustomFields,
} from './records/custom/stored-custom-fields.ts';
export type { Condition, Operator } from './records/list/condition.ts';
export { documents, find } from './records/list/find.ts';
export { idsOfRecords } from './records/list/ids-of-records.ts';
export { type JoinedPage, joinedPage, type PageQuery, type PageResult, page } from './records/list/page.ts';
export { checkVersion, recordHash } from './records/record-hash.ts';
export {
  expandRenamed,
  pendingRelations,
  recordsToRederive,
  type StaleRows,
  type UnresolvedField,
  unresolvedFields,
} from './records/refresh/stale-records.ts';
export { deleteRecords } from './records/save/delete-records.ts';
export { linkTo } from './records/save/render-document.ts';
export { type Saved, saveRecords } from './records/save/save-records.ts';
export { type LookupProperty, type Target, targets } from './records/save/targets.ts';
export type { ReplicaState } from './replicas/replica.ts';
export type { ReplicaOptions, ReplicaUse } from './replicas/replicas.ts';
export type { WalPosition } from './replicas/wal-position.ts';
export { expireLogs } from './request-log/expire-logs.ts';
export {
  insertRequestLogs,
  type LoggedRequest,
  pageOfRequestLog,
  type RequestLogEntry,
  type RequestLogQuery,
  requestLogById,
} from './request-log/logged-requests.ts';
export {
  insertSystemCalls,
  type LoggedCall,
  pageOfSystemCalls,
  type SystemCall,
  type SystemCallQuery,
} from './request-log/system-calls.ts';
export { isMigrated, migrate } from './schema/migrate.ts';
export { refreshStatistics } from './schema/refresh-statistics.ts';
export { keyFromCommand } from './secrets/key-command.ts';
export { loadKey, MasterKeyError, parseKey, readKey, replaceKeyFile, type SecretKey } from './secrets/secret-key.ts';
export { expectOutage, failureLevel } from './sql/failures.ts';
export { type JobPoolOptions, openJobPool } from './sql/job-pool.ts';
export type { Watch, WatchLimits } from './sql/notices.ts';
export { isUuid } from './sql/parameter.ts';
export { type ByteBudget, budgetOf } from './sql/statement.ts';
export { watchDatabase } from './sql/watch-database.ts';
export {
  dueConnections,
  makeFailedDue,
  markFailedDue,
  markSyncDue,
  markUnreadDue,
  planNextSync,
  platformsInUse,
} from './sync/due-connections.ts';
export { otherStatements } from './sync/other-statements.ts';
export { type SyncState, saveSyncState, syncState, syncStates } from './sync/sync-state.ts';
export {
  type AttemptOutcome,
  type DeliveryAttempt,
  disableEndpoint,
  noteAccepted,
  noteFailed,
  settling,
  storeAttempts,
} from './webhooks/delivery-attempts.ts';
export { type DeliveryBacklog, deliveryBacklogOf } from './webhooks/delivery-backlog.ts';
export {
  countPending,
  type DueDelivery,
  dueDeliveries,
  endpointsWithWork,
  nextDeliveryAt,
  openEndpoints,
} from './webhooks/due-deliveries.ts';
export { emitEvent, emitInScope } from './webhooks/emit-event.ts';
export {
  changeConnections,
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  type InactiveReason,
  listWebhookEndpoints,
  lockWebhookEndpoint,
  MOST_ENDPOINTS,
  type NewEndpoint,
  rotateWebhookSecret,
  skipChanges,
  skipMissed,
  TooManyEndpoints,
  updateWebhookEndpoint,
  type WebhookEndpoint,
  webhookEndpoint,
} from './webhooks/endpoints.ts';
export type { EventBody, EventKind, NewEvent } from './webhooks/event.ts';
export { eventIdOf } from './webhooks/event-id.ts';
export {
  type DeliveryQuery,
  deliveryById,
  pageOfDeliveries,
  storeSentEvent,
  type WebhookDelivery,
  type WebhookDeliveryDetails,
} from './webhooks/list-deliveries.ts';
export {
  type ChangesToPrepare,
  changesToPrepare,
  type PreparedDelivery,
  storePrepared,
} from './webhooks/prepared-changes.ts';
export { kindsOf, type Period, replayChanges, replayDelivery, replayPeriod } from './webhooks/replay-events.ts';
export { type SendingEndpoint, sendingEndpoint } from './webhooks/sending-endpoint.ts';
export { type WebhookWork, watchWebhookWork } from './webhooks/watch-work.ts';
export {
  listWrites,
  lockWrite,
  type WriteQuery,
  writeById,
  writtenRecord,
} from './writes/list-writes.ts';
export {
  type PlannedLine,
  type StoredError,
  type StoredStep,
  type StoredWrite,
  sentCustomFields,
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
  type Attempt,
  makeWriteDue,
  makeWritesDue,
  markWriteCancelled,
  type Outcome,
  type Progress,
  postpone,
  requeueWrite,
  saveSteps,
  saveStepsOf,
  settle,
  startAttempt,
  startNextAttempt,
  watchWrite,
} from './writes/write-progress.ts';
export {
  claimKey,
  dueQueues,
  type Enqueued,
  enqueueWrite,
  forgetExpiredKeys,
  type Idempotency,
  moveKey,
  type NewWrite,
  nextWrite,
} from './writes/write-queue.ts';
