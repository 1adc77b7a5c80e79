import type { OperationKind, OwnHandlers } from '@unified/contract';
import type { HttpResponse } from '../http-response.ts';
import { getAttachment } from './attachments.ts';
import { listAuditEntries } from './audit-log.ts';
import { getCapability, listCapabilities } from './capabilities.ts';
import { createRecord, deleteRecord, replaceRecord, updateRecord } from './change-records.ts';
import {
  compatCreateConnection,
  compatCreateEmbedSession,
  compatListConnections,
  compatListPlatforms,
} from './compatibility.ts';
import type { Contexts, DataContext } from './context.ts';
import { createRecords } from './create-records.ts';
import { executeMcpTool } from './execute-mcp-tool.ts';
import { getHealth } from './get-health.ts';
import { listChanges } from './list-changes.ts';
import { decideAccessRequest, listAccessRequests } from './manage-access-requests.ts';
import { listAgentAuthorizations, revokeAgentAuthorization } from './manage-agent-authorizations.ts';
import { getApplication, updateApplication } from './manage-application.ts';
import {
  clearWhitelabel,
  getLogRetention,
  getWhitelabel,
  replaceWhitelabel,
  setLogRetention,
} from './manage-client-settings.ts';
import { getClient, listClients, registerClient, updateClient } from './manage-clients.ts';
import { deleteCompanyCredential, listCompanyCredentials, setCompanyCredential } from './manage-company-credentials.ts';
import {
  getConnectionFlowFolders,
  getConnectionForms,
  getConnectionSolutions,
  setConnectionFlowFolders,
  setConnectionForms,
  setConnectionSolutions,
} from './manage-connection-lists.ts';
import { createConnectionToken, listConnectionTokens, revokeConnectionToken } from './manage-connection-tokens.ts';
import {
  createConnection,
  deleteConnection,
  getConnection,
  listConnections,
  purgeConnection,
  restoreConnection,
  setConnectionActive,
  updateConnection,
} from './manage-connections.ts';
import {
  beginOpenIdSignIn,
  changeConsolePassword,
  completeOpenIdSignIn,
  createConsoleSession,
  endConsoleSession,
  getConsoleSession,
  getSignInMethods,
  issueConsoleConnectionToken,
  issueManagementToken,
  listConsoleSessions,
  redeemSignInLink,
  revokeConsoleSession,
} from './manage-console-sessions.ts';
import {
  getDataMapping,
  listDataMappingEntries,
  listDataMappings,
  replaceDataMappingEntries,
  setDataMappingCardinality,
  startDataMapping,
  stopDataMapping,
} from './manage-data-mappings.ts';
import {
  createEmbedSession,
  disconnectEmbed,
  getEmbedSettings,
  saveEmbedSettings,
  setEmbedKillSwitch,
} from './manage-embed.ts';
import {
  createEndCustomer,
  deleteEndCustomer,
  getEndCustomer,
  listEndCustomers,
  updateEndCustomer,
} from './manage-end-customers.ts';
import {
  activateFieldMappingRevision,
  draftFieldMapping,
  getCustomStreams,
  getFieldMapping,
  listFieldMappingRevisions,
  listSourceTables,
  previewFieldMapping,
  replaceCustomStreams,
  saveFieldMapping,
  testFetchFieldMapping,
} from './manage-field-mappings.ts';
import { createMcpRole, deleteMcpRole, getMcpRole, listMcpRoles, updateMcpRole } from './manage-mcp-roles.ts';
import {
  createMcpUser,
  createPersonalAccessToken,
  deleteMcpUser,
  getMcpUser,
  listMcpUsers,
  listPersonalAccessTokens,
  revokePersonalAccessToken,
  updateMcpUser,
} from './manage-mcp-users.ts';
import { createSignInLink, deleteOperator, inviteOperator, listOperators, updateOperator } from './manage-operators.ts';
import { addRedirectUri, deleteRedirectUri, listRedirectUris, replaceRedirectUri } from './manage-redirect-uris.ts';
import { deleteSettingsForm, listSettingsForms, saveSettingsForm } from './manage-settings-forms.ts';
import { createSetupLink, listSetupLinks, revokeSetupLink } from './manage-setup-links.ts';
import {
  deleteThirdPartyServer,
  listThirdPartyServers,
  registerThirdPartyServer,
  updateThirdPartyServer,
} from './manage-third-party-servers.ts';
import { listToolCalls, replayToolPolicy } from './manage-tool-calls.ts';
import {
  getGuardrails,
  getPlatformVisibility,
  getToolPolicy,
  setGuardrails,
  setPlatformVisibility,
  setToolPolicy,
} from './manage-tool-policy.ts';
import {
  deleteWebhookEndpoint,
  getWebhookEndpoint,
  listWebhookEndpoints,
  registerWebhookEndpoint,
  rotateWebhookSecret,
  updateWebhookEndpoint,
} from './manage-webhook-endpoints.ts';
import {
  getMcpAccess,
  getMcpPolicy,
  listMcpPlatforms,
  listMcpTools,
  requestMcpAccess,
  resolveMcpExecution,
} from './mcp-surface.ts';
import {
  authorize,
  getAuthorizationServerMetadata,
  getJwks,
  getProtectedResourceMetadata,
  issueToken,
  linkToken,
  revokeToken,
} from './oauth.ts';
import { getPlatform, listPlatforms } from './read-platforms.ts';
import { listRawRows, listRawTables } from './read-raw.ts';
import { getRecord, listRecords } from './read-records.ts';
import { replaceFiscalCalendarByCode } from './replace-fiscal-calendar-by-code.ts';
import { getRequestLog, listRequestLogs, listSystemCalls } from './request-logs.ts';
import { putWorkOrderStatus, runAction } from './run-action.ts';
import { runQuery } from './run-query.ts';
import { createClientSecret, getClientSecret, listClientSecrets, revokeClientSecret } from './secrets.ts';
import { sendMcpMessage } from './send-mcp-message.ts';
import { sendPassthrough } from './send-passthrough.ts';
import {
  createEmbedSupportRequest,
  createSupportRequest,
  listEmbedSupportRequests,
  listSupportRequests,
  updateEmbedSupportRequest,
} from './support.ts';
import { getSyncStatus, startSync } from './sync.ts';
import {
  getWebhookDelivery,
  listWebhookDeliveries,
  replayWebhooks,
  testWebhookEndpoint,
} from './webhook-deliveries.ts';
import {
  cancelWrite,
  compensateWrite,
  getWorkOrderWrite,
  getWrite,
  listWrites,
  retryWrite,
  verifyWrite,
} from './writes.ts';

/** A handler of any operation. The type of its request depends on the operation, so only the validator can ensure it. */
export type AnyHandler<Context> = (request: never, context: Context) => Promise<HttpResponse>;

/** Handlers of operations that do not follow the conventions, by surface. */
export const ownHandlers = {
  console: {
    changeConsolePassword,
    beginOpenIdSignIn,
    completeOpenIdSignIn,
    createConsoleSession,
    createSignInLink,
    deleteOperator,
    endConsoleSession,
    getConsoleSession,
    getSignInMethods,
    inviteOperator,
    issueConsoleConnectionToken,
    issueManagementToken,
    listConsoleSessions,
    listOperators,
    redeemSignInLink,
    revokeConsoleSession,
    updateOperator,
  },
  data: {
    cancelWrite,
    compensateWrite,
    getAttachment,
    getCapability,
    getSyncStatus,
    getWorkOrderWrite,
    getWrite,
    listCapabilities,
    listChanges,
    listRawRows,
    listRawTables,
    listWrites,
    putWorkOrderStatus,
    replaceFiscalCalendarByCode,
    retryWrite,
    runQuery,
    sendPassthrough,
    startSync,
    verifyWrite,
  },
  management: {
    activateFieldMappingRevision,
    addRedirectUri,
    clearWhitelabel,
    compatCreateConnection,
    compatCreateEmbedSession,
    compatListConnections,
    compatListPlatforms,
    createClientSecret,
    createConnection,
    createConnectionToken,
    createEmbedSession,
    createEmbedSupportRequest,
    createEndCustomer,
    createMcpRole,
    createMcpUser,
    createPersonalAccessToken,
    createSetupLink,
    createSupportRequest,
    decideAccessRequest,
    deleteCompanyCredential,
    deleteConnection,
    deleteEndCustomer,
    deleteMcpRole,
    deleteMcpUser,
    deleteRedirectUri,
    deleteSettingsForm,
    deleteThirdPartyServer,
    deleteWebhookEndpoint,
    disconnectEmbed,
    draftFieldMapping,
    getApplication,
    getClient,
    getClientSecret,
    getConnection,
    getConnectionFlowFolders,
    getConnectionForms,
    getConnectionSolutions,
    getCustomStreams,
    getDataMapping,
    getEmbedSettings,
    getEndCustomer,
    getFieldMapping,
    getGuardrails,
    getLogRetention,
    getMcpRole,
    getMcpUser,
    getPlatform,
    getPlatformVisibility,
    getRequestLog,
    getToolPolicy,
    getWebhookDelivery,
    getWebhookEndpoint,
    getWhitelabel,
    listAccessRequests,
    listAgentAuthorizations,
    listAuditEntries,
    listClients,
    listClientSecrets,
    listCompanyCredentials,
    listConnections,
    listConnectionTokens,
    listDataMappingEntries,
    listDataMappings,
    listEmbedSupportRequests,
    listEndCustomers,
    listFieldMappingRevisions,
    listMcpRoles,
    listMcpUsers,
    listPersonalAccessTokens,
    listPlatforms,
    listRedirectUris,
    listRequestLogs,
    listSettingsForms,
    listSetupLinks,
    listSourceTables,
    listSupportRequests,
    listSystemCalls,
    listThirdPartyServers,
    listToolCalls,
    listWebhookDeliveries,
    listWebhookEndpoints,
    previewFieldMapping,
    purgeConnection,
    registerClient,
    registerThirdPartyServer,
    registerWebhookEndpoint,
    replaceCustomStreams,
    replaceDataMappingEntries,
    replaceRedirectUri,
    replaceWhitelabel,
    replayToolPolicy,
    replayWebhooks,
    restoreConnection,
    revokeAgentAuthorization,
    revokeClientSecret,
    revokeConnectionToken,
    revokePersonalAccessToken,
    revokeSetupLink,
    rotateWebhookSecret,
    saveEmbedSettings,
    saveFieldMapping,
    saveSettingsForm,
    setCompanyCredential,
    setConnectionActive,
    setConnectionFlowFolders,
    setConnectionForms,
    setConnectionSolutions,
    setDataMappingCardinality,
    setEmbedKillSwitch,
    setGuardrails,
    setLogRetention,
    setPlatformVisibility,
    setToolPolicy,
    startDataMapping,
    stopDataMapping,
    testFetchFieldMapping,
    testWebhookEndpoint,
    updateApplication,
    updateClient,
    updateConnection,
    updateEmbedSupportRequest,
    updateEndCustomer,
    updateMcpRole,
    updateMcpUser,
    updateThirdPartyServer,
    updateWebhookEndpoint,
  },
  mcp: {
    executeMcpTool,
    getMcpAccess,
    getMcpPolicy,
    listMcpPlatforms,
    listMcpTools,
    requestMcpAccess,
    resolveMcpExecution,
    sendMcpMessage,
  },
  oauth: {
    authorize,
    getAuthorizationServerMetadata,
    getJwks,
    getProtectedResourceMetadata,
    issueToken,
    linkToken,
    revokeToken,
  },
  system: { getHealth },
} satisfies OwnHandlers<Contexts>;

/** One handler per kind of operation serves all entities that follow the conventions. */
export const handlersByKind = {
  list: listRecords,
  get: getRecord,
  create: createRecord,
  createMany: createRecords,
  update: updateRecord,
  replace: replaceRecord,
  delete: deleteRecord,
  action: runAction,
} satisfies Record<Exclude<OperationKind, 'other'>, AnyHandler<DataContext>>;
