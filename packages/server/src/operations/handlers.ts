import type { Operation, OperationKind, OwnHandlers, ServedSurface, Surface } from '@unified/contract';
import type { Engine } from '@unified/engine';
import {
  type AuditOrigin,
  audited,
  type ContentDigest,
  ping,
  type ScopeOf,
  type Store,
  type TokenHolder,
} from '@unified/store';
import type { HttpResponse } from '../http-response.ts';
import type { QueryString } from '../query/query-string.ts';
import { narrowedTo } from '../query/token-access.ts';
import { getAttachment, storeFile } from './attachments.ts';
import { listAuditEntries } from './audit-log.ts';
import { getCapability, listCapabilities } from './capabilities.ts';
import { createRecord, deleteRecord, replaceRecord, updateRecord } from './change-records.ts';
import {
  compatCreateConnection,
  compatCreateEmbedSession,
  compatListConnections,
  compatListPlatforms,
} from './compatibility.ts';
import type { Contexts, DataContext, ManagementContext, OAuthContext, SystemContext } from './context.ts';
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
import { addRedirectUri, deleteRedirectUri, listRedirectUris, replaceRedirectUri } from './manage-redirect-uris.ts';
import { deleteSettingsForm, listSettingsForms, saveSettingsForm } from './manage-settings-forms.ts';
import { authorize, getAuthorizationServerMetadata, getJwks, issueToken, linkToken, revokeToken } from './oauth.ts';
import { getPlatform, listPlatforms } from './read-platforms.ts';
import { getRecord, listRecords } from './read-records.ts';
import { replaceFiscalCalendarByCode } from './replace-fiscal-calendar-by-code.ts';
import { getRequestLog, listRequestLogs } from './request-logs.ts';
import { putWorkOrderStatus, runAction } from './run-action.ts';
import { createClientSecret, getClientSecret, listClientSecrets, revokeClientSecret } from './secrets.ts';
import {
  createEmbedSupportRequest,
  createSupportRequest,
  listEmbedSupportRequests,
  listSupportRequests,
  updateEmbedSupportRequest,
} from './support.ts';
import { getSyncStatus, startSync } from './sync.ts';
import { checkAccess, checkScopes } from './token-limits.ts';
import {
  cancelWrite,
  compensateWrite,
  getWorkOrderWrite,
  getWrite,
  listWrites,
  retryWrite,
  verifyWrite,
} from './writes.ts';

/** Handlers of the operations that do not follow the conventions, by surface. */
const own = {
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
    listWrites,
    putWorkOrderStatus,
    replaceFiscalCalendarByCode,
    retryWrite,
    startSync,
    verifyWrite,
  },
  management: {
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
    disconnectEmbed,
    getApplication,
    getClient,
    getClientSecret,
    getConnection,
    getConnectionFlowFolders,
    getConnectionForms,
    getConnectionSolutions,
    getDataMapping,
    getEmbedSettings,
    getLogRetention,
    getPlatform,
    getRequestLog,
    getWhitelabel,
    listAuditEntries,
    listClients,
    listClientSecrets,
    listConnections,
    listConnectionTokens,
    listDataMappingEntries,
    listDataMappings,
    listEmbedSupportRequests,
    listPlatforms,
    listRedirectUris,
    listRequestLogs,
    listSettingsForms,
    listSupportRequests,
    purgeConnection,
    registerClient,
    replaceDataMappingEntries,
    replaceRedirectUri,
    replaceWhitelabel,
    revokeClientSecret,
    revokeConnectionToken,
    saveEmbedSettings,
    saveSettingsForm,
    setConnectionActive,
    setConnectionFlowFolders,
    setConnectionForms,
    setConnectionSolutions,
    setDataMappingCardinality,
    setEmbedKillSwitch,
    setLogRetention,
    startDataMapping,
    stopDataMapping,
    updateApplication,
    updateClient,
    updateConnection,
    updateEmbedSupportRequest,
  },
  oauth: { authorize, getAuthorizationServerMetadata, getJwks, issueToken, linkToken, revokeToken },
  system: { getHealth },
} satisfies OwnHandlers<Contexts>;

/** One handler per kind of operation serves all entities that follow the conventions. */
const byKind = {
  list: listRecords,
  get: getRecord,
  create: createRecord,
  createMany: createRecords,
  update: updateRecord,
  replace: replaceRecord,
  delete: deleteRecord,
  action: runAction,
} satisfies Record<Exclude<OperationKind, 'other' | 'planned'>, AnyHandler<DataContext>>;

/**
 * A handler of any operation. The type of its request depends on the operation, so only the validator can provide one.
 */
export type AnyHandler<Context> = (request: never, context: Context) => Promise<HttpResponse>;

/** The handler of an operation, and the surface whose context it expects. */
type BoundHandler = {
  readonly [S in ServedSurface]: { readonly surface: S; readonly handle: AnyHandler<Contexts[S]> };
}[ServedSurface];

type HandlersByName<S extends ServedSurface> = Readonly<Record<string, AnyHandler<Contexts[S]>>>;

const named: { readonly [S in ServedSurface]: HandlersByName<S> } = own;

/** The services that contexts of handlers are made from. Handlers cannot access them directly. */
export interface Services {
  readonly store: Store;
  readonly engine: Engine;
  readonly oauth: Omit<OAuthContext, 'authorization' | 'beginAuthorization'>;
  /** Bytes that a response of the data API may have; 16 MB by default. */
  readonly largestResponse?: number | undefined;
}

/** What one application may have in memory for responses; see `ResponseMemory`. */
const LARGEST_RESPONSE = 16_000_000;

/** Inputs of a context besides the services. */
interface Caller {
  /** The connection that the request was authenticated for, and the limits of its token. Throws `SERVICE_UNAUTHORIZED` if it was for none. */
  connection(): ScopeOf & Pick<TokenHolder, 'scopes' | 'access'>;
  /** The application that the request was authenticated for. Throws `SERVICE_UNAUTHORIZED` if it was for none. */
  application(): { readonly applicationId: string; readonly clientId: string };
  /** Value of the header `Authorization`. */
  readonly authorization: string | undefined;
  beginAuthorization: OAuthContext['beginAuthorization'];
  accepts: DataContext['accepts'];
  readonly address: string;
  readonly requestId: string;
  /** IP address of the client. */
  clientAddress(): string;
  readonly preconditions: DataContext['preconditions'];
}

/** A checked request: of the type that the handler of its operation declares, which the validator ensures. */
interface Checked {
  readonly query: Readonly<Record<string, unknown>>;
}

/** The handler of an operation with the context of its surface. */
interface Callable {
  /** Stores the file of a checked request; only for operations on data. */
  readonly storeFile?: (checked: Checked, bytes: AsyncIterable<Uint8Array>) => Promise<ContentDigest>;
  /** `sent` is the query as it was sent, before defaults. Rejects with the `ServiceError` to respond with. */
  call(checked: Checked, sent: QueryString): Promise<HttpResponse>;
}

/**
 * Returns a function that makes the context of an operation's surface and binds the operation's handler to it. Throws
 * if a served operation has no handler. The function throws `SERVICE_FORBIDDEN` if the token gives no access to the operation.
 */
export function createHandlers(
  { store, engine, oauth, largestResponse = LARGEST_RESPONSE }: Services,
  operations: readonly Operation[],
) {
  const handlers = handlersOf(operations);
  const system: SystemContext = { ping: () => ping(store) };
  return (operation: Operation, caller: Caller): Callable => {
    const { connection, authorization, beginAuthorization, accepts, address, preconditions } = caller;
    const bound = handlers.get(operation.id);
    if (!bound) throw new Error(`${operation.id} is not served.`);
    if (bound.surface === 'system') return { call: (checked) => bound.handle(checked as never, system) };
    if (bound.surface === 'oauth')
      return { call: (checked) => bound.handle(checked as never, { ...oauth, authorization, beginAuthorization }) };
    if (bound.surface === 'management') {
      const context = managementContext({ store, engine, oauth }, operation, caller);
      return { call: (checked) => bound.handle(checked as never, context) };
    }
    const { access, scopes, ...of } = connection();
    checkScopes(operation, scopes);
    const limited = { operation, scope: store.scope(of), access, narrow: narrowedTo(access) };
    checkAccess(operation, limited);
    return {
      storeFile: (checked, bytes) => storeFile(checked, bytes, { engine, ...limited }),
      call: (checked, sent) =>
        bound.handle(checked as never, {
          ...{ ...limited, engine, largestResponse, sent },
          ...{ accepts, address, preconditions },
        }),
    };
  };
}

function managementContext(
  { store, engine, oauth }: Pick<Services, 'store' | 'engine' | 'oauth'>,
  operation: Operation,
  { application: client, requestId, clientAddress, accepts }: Caller,
): ManagementContext {
  const { applicationId, clientId } = client();
  const application = store.application(applicationId);
  const origin: AuditOrigin = {
    ...{ actorType: 'application', actor: clientId, operation: operation.id, requestId },
    address: clientAddress(),
  };
  return {
    ...{ operation, application, clientId, origin, accepts, platforms: engine.platforms },
    publicUrl: oauth.publicUrl,
    connections: engine.connectionsOf(application, origin),
    audited: (work) =>
      audited(store, origin, (inner, record) =>
        work(inner.application(applicationId), (change) => record(applicationId, change)),
      ),
  };
}

/** The handlers of these operations by id. Throws if a served one has no handler. */
export function handlersOf(operations: readonly Operation[]): ReadonlyMap<string, BoundHandler> {
  const served = operations.filter(({ kind }) => kind !== 'planned');
  return new Map(served.map((operation) => [operation.id, handlerOf(operation)]));
}

function handlerOf({ id, kind, surface }: Operation): BoundHandler {
  if (isServed(surface)) {
    const byConvention = surface === 'data' && kind !== 'other' && kind !== 'planned' ? byKind[kind] : undefined;
    const handle = named[surface][id] ?? byConvention;
    if (handle) return { surface, handle } as BoundHandler;
  }
  throw new Error(`No handler serves ${id} in the surface ${surface}.`);
}

function isServed(surface: Surface): surface is ServedSurface {
  return Object.hasOwn(named, surface);
}
