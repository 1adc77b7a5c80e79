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
import { getHealth } from './get-health.ts';
import { listChanges } from './list-changes.ts';
import { getApplication, updateApplication } from './manage-application.ts';
import {
  clearWhitelabel,
  getLogRetention,
  getWhitelabel,
  replaceWhitelabel,
  setLogRetention,
} from './manage-client-settings.ts';
import { getClient, listClients, registerClient, updateClient } from './manage-clients.ts';
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
import { addRedirectUri, deleteRedirectUri, listRedirectUris, replaceRedirectUri } from './manage-redirect-uris.ts';
import { deleteSettingsForm, listSettingsForms, saveSettingsForm } from './manage-settings-forms.ts';
import {
  deleteWebhookEndpoint,
  getWebhookEndpoint,
  listWebhookEndpoints,
  registerWebhookEndpoint,
  rotateWebhookSecret,
  updateWebhookEndpoint,
} from './manage-webhook-endpoints.ts';
import { authorize, getAuthorizationServerMetadata, getJwks, issueToken, linkToken, revokeToken } from './oauth.ts';
import { getPlatform, listPlatforms } from './read-platforms.ts';
import { listRawRows, listRawTables } from './read-raw.ts';
import { getRecord, listRecords } from './read-records.ts';
import { replaceFiscalCalendarByCode } from './replace-fiscal-calendar-by-code.ts';
import { getRequestLog, listRequestLogs } from './request-logs.ts';
import { putWorkOrderStatus, runAction } from './run-action.ts';
import { runQuery } from './run-query.ts';
import { createClientSecret, getClientSecret, listClientSecrets, revokeClientSecret } from './secrets.ts';
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

/**
 * A handler of any operation. The type of its request depends on the operation, so only the validator can provide one.
 */
export type AnyHandler<Context> = (request: never, context: Context) => Promise<HttpResponse>;

/** Handlers of the operations that do not follow the conventions, by surface. */
export const ownHandlers = {
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
    createSupportRequest,
    deleteConnection,
    deleteRedirectUri,
    deleteSettingsForm,
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
    getFieldMapping,
    getLogRetention,
    getPlatform,
    getRequestLog,
    getWebhookDelivery,
    getWebhookEndpoint,
    getWhitelabel,
    listAuditEntries,
    listClients,
    listClientSecrets,
    listConnections,
    listConnectionTokens,
    listDataMappingEntries,
    listDataMappings,
    listEmbedSupportRequests,
    listFieldMappingRevisions,
    listPlatforms,
    listRedirectUris,
    listRequestLogs,
    listSettingsForms,
    listSourceTables,
    listSupportRequests,
    listWebhookDeliveries,
    listWebhookEndpoints,
    previewFieldMapping,
    purgeConnection,
    registerClient,
    registerWebhookEndpoint,
    replaceCustomStreams,
    replaceDataMappingEntries,
    replaceRedirectUri,
    replaceWhitelabel,
    replayWebhooks,
    revokeClientSecret,
    revokeConnectionToken,
    rotateWebhookSecret,
    saveEmbedSettings,
    saveFieldMapping,
    saveSettingsForm,
    restoreConnection,
    setConnectionActive,
    setConnectionFlowFolders,
    setConnectionForms,
    setConnectionSolutions,
    setDataMappingCardinality,
    setEmbedKillSwitch,
    setLogRetention,
    startDataMapping,
    stopDataMapping,
    testFetchFieldMapping,
    testWebhookEndpoint,
    updateApplication,
    updateClient,
    updateConnection,
    updateEmbedSupportRequest,
    updateWebhookEndpoint,
  },
  oauth: { authorize, getAuthorizationServerMetadata, getJwks, issueToken, linkToken, revokeToken },
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
} satisfies Record<Exclude<OperationKind, 'other' | 'planned'>, AnyHandler<DataContext>>;
