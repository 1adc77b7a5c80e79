import type { Operation, Surface } from '@unified/contract';
import type { Engine } from '@unified/engine';
import {
  type AuditOrigin,
  audited,
  type ContentDigest,
  currentPosition,
  DEFAULT_SCOPES,
  knownEndCustomer,
  type McpTokenHolder,
  type OpenConsoleSession,
  ping,
  type ScopeOf,
  type Store,
  type TokenHolder,
} from '@unified/store';
import type { OpenIdProvider } from '../console/openid-provider.ts';
import { createSessionCookie, type SessionCookie } from '../console/session-cookie.ts';
import { signInMethods } from '../console/sign-in-methods.ts';
import type { HttpResponse } from '../http-response.ts';
import type { AdminHolder } from '../oauth/access-tokens.ts';
import type { QueryString } from '../query/query-string.ts';
import { narrowedTo } from '../query/token-access.ts';
import { storeFile } from './attachments.ts';
import type {
  ConsoleContext,
  Contexts,
  DataCall,
  DataContext,
  ManagementContext,
  McpContext,
  OAuthContext,
  OpenIdSignIn,
  SystemContext,
} from './context.ts';
import { type AnyHandler, handlersByKind, ownHandlers } from './handler-tables.ts';
import { createOpenStreams } from './open-streams.ts';
import { checkRole } from './operator-roles.ts';
import { checkAccess, checkScopes } from './token-limits.ts';

/** The handler of an operation, and the surface whose context it expects. */
type BoundHandler = {
  readonly [S in Surface]: { readonly surface: S; readonly handle: AnyHandler<Contexts[S]> };
}[Surface];

type HandlersByName<S extends Surface> = Readonly<Record<string, AnyHandler<Contexts[S]>>>;

const named: { readonly [S in Surface]: HandlersByName<S> } = ownHandlers;

/** The services from which contexts of handlers are created. Handlers cannot access them directly. */
export interface Services {
  readonly store: Store;
  readonly engine: Engine;
  readonly oauth: Omit<OAuthContext, 'authorization' | 'beginAuthorization'>;
  readonly cookie: SessionCookie;
  /** The OpenID Connect provider with which operators can sign in; by default, none. */
  readonly openIdProvider?: OpenIdProvider | undefined;
  /** Maximum number of bytes in a response of the data API; 16 MB by default. */
  readonly largestResponse?: number | undefined;
  /** Number of tool calls that an application may make per calendar month; unlimited by default. */
  readonly mcpCallsPerMonth?: number | undefined;
}

/** Checks the parts of a call in the same way as those of a request. Rejects with a `ServiceError`. */
export type CheckCall = (
  call: DataCall['request'] & Pick<DataCall, 'operation'> & { readonly headers: Readonly<Record<string, string>> },
) => Promise<{ readonly checked: Checked; readonly sent: QueryString }>;

/** The memory that one application may use for responses; see `ResponseMemory`. */
const LARGEST_RESPONSE = 16_000_000;

/** Inputs of a context besides the services. */
interface Caller {
  /**
   * The connection for which the request was authenticated, and the limits of its token. Throws `SERVICE_UNAUTHORIZED` if there
   * is none.
   */
  connection(): ScopeOf & Pick<TokenHolder, 'scopes' | 'access'>;
  /** The application for which the request was authenticated. Throws `SERVICE_UNAUTHORIZED` if there is none. */
  application(): Pick<AdminHolder, 'applicationId' | 'clientId' | 'operator'>;
  /** The MCP user for which the request was authenticated. Throws `SERVICE_UNAUTHORIZED` if there is none. */
  mcpUser(): McpTokenHolder;
  /** The open session of the console. Throws `SERVICE_UNAUTHORIZED` if there is none. */
  signedIn(): OpenConsoleSession;
  /** Value of the `Cookie` header. */
  readonly cookies: string | undefined;
  /** Name of the program that sends the request, as reported by the program. */
  readonly agent: string | null;
  /** Value of the `Authorization` header. */
  readonly authorization: string | undefined;
  beginAuthorization: OAuthContext['beginAuthorization'];
  accepts: DataContext['accepts'];
  ending: DataContext['ending'];
  whileIdle: DataContext['whileIdle'];
  recheck: DataContext['recheck'];
  readonly address: string;
  readonly requestId: string;
  /** IP address of the client. */
  clientAddress(): string;
  /** The network for which requests of the client are counted. */
  clientNetwork(): string;
  readonly preconditions: DataContext['preconditions'];
  /** The position that a read must include; undefined if any will do. Throws `SERVICE_INVALID_PARAMETER`. */
  readAfter(): string | undefined;
}

/** A checked request. The validator ensures that it has the type that the handler of its operation declares. */
interface Checked {
  readonly query: Readonly<Record<string, unknown>>;
}

/** The handler of an operation with the context of its surface. */
interface Callable {
  /** Stores the file of a checked request; only for operations on data. */
  readonly storeFile?: (checked: Checked, bytes: AsyncIterable<Uint8Array>) => Promise<ContentDigest>;
  /**
   * The position that includes everything that the call has done or read. Absent for operations without data, and for reads that
   * can run on a replica; undefined without replicas.
   */
  readonly positionAfter?: () => Promise<string | undefined>;
  /** `sent` is the query as it was sent, before defaults. Rejects with the `ServiceError` to respond with. */
  call(checked: Checked, sent: QueryString): Promise<HttpResponse>;
}

/**
 * Returns a function that creates the context of an operation's surface and binds the operation's handler to it. Throws if a
 * served operation has no handler. The returned function throws `SERVICE_FORBIDDEN` if the token gives no access to the
 * operation.
 */
export function createHandlers(
  services: Services & { readonly checkCall: CheckCall },
  operations: readonly Operation[],
) {
  const { store, engine, oauth, largestResponse = LARGEST_RESPONSE } = services;
  const handlers = handlersOf(operations);
  const streams = createOpenStreams();
  const system: SystemContext = { ping: () => ping(store) };
  return (operation: Operation, caller: Caller): Callable => {
    const { connection, authorization, beginAuthorization } = caller;
    const bound = handlers.get(operation.id);
    if (!bound) throw new Error(`${operation.id} is not served.`);
    if (bound.surface === 'system') return { call: (checked) => bound.handle(checked as never, system) };
    if (bound.surface === 'oauth')
      return { call: (checked) => bound.handle(checked as never, { ...oauth, authorization, beginAuthorization }) };
    if (bound.surface === 'console') {
      const context = consoleContext(services, operation, caller);
      return { call: (checked) => bound.handle(checked as never, context) };
    }
    if (bound.surface === 'management') {
      const context = managementContext({ store, engine, oauth }, operation, caller);
      return { call: (checked) => bound.handle(checked as never, context) };
    }
    if (bound.surface === 'mcp') {
      const context = mcpContext(services, handlers, caller);
      return { call: (checked) => bound.handle(checked as never, context) };
    }
    const { access, scopes, ...of } = connection();
    checkScopes(operation, scopes);
    const { accepts, address, preconditions, ending, whileIdle, recheck } = caller;
    const openStream = () => {
      const signal = ending();
      streams.open(of.applicationId, signal);
      return signal;
    };
    const { readsReplica } = operation;
    const scope = readsReplica ? store.readingScope(of, caller.readAfter()) : store.scope(of);
    const position = () => currentPosition(store);
    const limited = { operation, scope, scopes, access, narrow: narrowedTo(access) };
    checkAccess(operation, limited);
    return {
      ...(!readsReplica && { positionAfter: position }),
      storeFile: (checked, bytes) => storeFile(checked, bytes, { engine, ...limited }),
      call: (checked, sent) =>
        bound.handle(checked as never, {
          ...{ ...limited, engine, largestResponse, sent, position },
          ...{ accepts, address, preconditions, ending, whileIdle, recheck, openStream },
        }),
    };
  };
}

/** The context of the console. Throws `SERVICE_FORBIDDEN` if the role of the operator does not allow the operation. */
function consoleContext(
  { store, oauth, cookie, openIdProvider: provider }: Services,
  operation: Operation,
  { signedIn, cookies = '', agent, requestId, clientAddress, clientNetwork }: Caller,
): ConsoleContext {
  if (operation.security.length > 0) checkRole(operation, signedIn().operator.role);
  const { publicUrl } = oauth;
  const visit = {
    ...{ secret: cookie.secretOf({ cookie: cookies }), browser: agent, requestId, operation: operation.id },
    ...{ address: clientAddress(), network: clientNetwork() },
  };
  const methods = () => signInMethods(store, provider);
  return {
    store,
    publicUrl,
    cookie,
    openId: provider && openIdSignIn(provider, publicUrl, cookies),
    signedIn,
    visit,
    methods,
  };
}

function openIdSignIn(provider: OpenIdProvider, publicUrl: string, cookies: string): OpenIdSignIn {
  const cookie = createSessionCookie(publicUrl, 'console-sign-in');
  return { provider, cookie, secret: cookie.secretOf({ cookie: cookies }) };
}

function managementContext(
  { store, engine, oauth }: Pick<Services, 'store' | 'engine' | 'oauth'>,
  operation: Operation,
  { application: client, requestId, clientAddress, accepts }: Caller,
): ManagementContext {
  const { applicationId, clientId, operator } = client();
  if (operator) checkRole(operation, operator.role);
  const application = store.application(applicationId);
  const origin: AuditOrigin = {
    ...(operator
      ? { actorType: 'operator' as const, actor: operator.id }
      : { actorType: 'application' as const, actor: clientId }),
    ...{ operation: operation.id, requestId },
    address: clientAddress(),
  };
  return {
    ...{
      operation,
      application,
      clientId,
      role: operator?.role,
      origin,
      accepts,
      platforms: engine.platforms,
      thirdParties: engine.thirdParties,
    },
    publicUrl: oauth.publicUrl,
    sendTestEvent: (endpointId) => engine.sendTestEvent(application, endpointId),
    connections: engine.connectionsOf(application, origin),
    mappings: engine.mappingsOf(application, origin),
    audited: (work) =>
      audited(store, origin, (inner, record) =>
        work(inner.application(applicationId), (change) => record(applicationId, change)),
      ),
  };
}

/** Maximum number of bytes of a result for an agent: what it reads must fit into the context of a model. */
const LARGEST_RESULT = 100_000;

/** Operations are called for a user on the connections of its end customer, through the same handlers as requests. */
export function mcpContext(
  { store, engine, oauth, checkCall, mcpCallsPerMonth }: Services & { readonly checkCall: CheckCall },
  handlers: ReadonlyMap<string, BoundHandler>,
  { mcpUser, agent, ending }: Pick<Caller, 'mcpUser' | 'agent' | 'ending'>,
): McpContext {
  const user = mcpUser();
  const { applicationId, endCustomerId } = user;
  const scopeOf: McpContext['scopeOf'] = ({ connectionId, platform }) =>
    store.scope({ applicationId, connectionId, platform });
  return {
    ...{ user, agent, engine, callsPerMonth: mcpCallsPerMonth ?? null, scopeOf },
    publicUrl: oauth.publicUrl,
    customer: knownEndCustomer(store, applicationId, endCustomerId),
    async run({ operation, request, idempotencyKey, access, expected, ...connection }) {
      const bound = handlers.get(operation.id);
      if (bound?.surface !== 'data') throw new Error(`${operation.id} does not concern data.`);
      const headers = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
      const { checked, sent } = await checkCall({ operation, headers, ...request });
      const scope = scopeOf(connection);
      const limited = { operation, scope, scopes: DEFAULT_SCOPES, access, narrow: narrowedTo(access) };
      checkAccess(operation, limited);
      return bound.handle(checked as never, {
        ...{ ...limited, engine, largestResponse: LARGEST_RESULT, sent, ending, expected },
        ...{ accepts: ([first]) => first, address: '', whileIdle: (work) => work() },
        // Only streams and requests that wait need these. A call accepts JSON, and ends soon.
        ...{ recheck: () => Promise.resolve(), openStream: ending, position: async () => undefined },
        preconditions: { ifMatch: undefined, ifNoneMatch: undefined },
      });
    },
  };
}

/** The handlers of these operations, by id. Throws if an operation has no handler. */
export function handlersOf(operations: readonly Operation[]): ReadonlyMap<string, BoundHandler> {
  return new Map(operations.map((operation) => [operation.id, handlerOf(operation)]));
}

function handlerOf({ id, kind, surface }: Operation): BoundHandler {
  const byConvention = surface === 'data' && kind !== 'other' ? handlersByKind[kind] : undefined;
  const handle = named[surface][id] ?? byConvention;
  if (handle) return { surface, handle } as BoundHandler;
  throw new Error(`No handler serves ${id} in the surface ${surface}.`);
}
