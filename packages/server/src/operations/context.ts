import type { Operation, Surface } from '@unified/contract';
import type { ApplicationConnections, Engine, FieldMappings } from '@unified/engine';
import type {
  ApplicationScope,
  AuditChange,
  AuditOrigin,
  EndCustomerScope,
  McpTokenHolder,
  OpenConsoleSession,
  OperatorRole,
  Scope,
  Store,
  TokenAccess,
  TokenScope,
} from '@unified/store';
import type { OpenIdProvider } from '../console/openid-provider.ts';
import type { SessionCookie } from '../console/session-cookie.ts';
import type { SignInMethods } from '../console/sign-in-methods.ts';
import type { Visit } from '../console/visit.ts';
import type { HttpResponse } from '../http-response.ts';
import type { CallRequest } from '../mcp/catalog/call-request.ts';
import type { AccessTokens } from '../oauth/access-tokens.ts';
import type { AgentGrants } from '../oauth/agent-grants.ts';
import type { TokenGrants } from '../oauth/token-grants.ts';
import type { QueryString } from '../query/query-string.ts';
import type { Narrow } from '../query/token-access.ts';

/** Headers by which a client makes a request conditional (RFC 9110, section 13), as they were sent. */
export interface Preconditions {
  readonly ifMatch: string | undefined;
  readonly ifNoneMatch: string | undefined;
}

/** The methods of the engine for the data of one connection, each of which takes its scope. */
export type DataEngine = Pick<
  Engine,
  | 'submitWrite'
  | 'submitBatch'
  | 'planWrite'
  | 'checkTakesFiles'
  | 'openFile'
  | 'waitForWrite'
  | 'writeById'
  | 'listWrites'
  | 'retryWrite'
  | 'verifyWrite'
  | 'cancelWrite'
  | 'compensateWrite'
  | 'requestSyncOf'
  | 'syncStatus'
  | 'callQuota'
  | 'rawTables'
  | 'rawTable'
  | 'rawRows'
  | 'passThrough'
  | 'lineage'
  | 'capabilities'
  | 'capability'
>;

/** What the handlers of the data API can access: the data of one connection. */
export interface DataContext {
  readonly operation: Operation;
  /** The data of the connection that the request was authenticated for; there is no other access to data. */
  readonly scope: Scope;
  /** The kinds of requests that the token allows, such as reading and writing. */
  readonly scopes: readonly TokenScope[];
  /** What the token gives access to; null means everything. */
  readonly access: TokenAccess | null;
  /**
   * Returns an entity as far as the token allows its use; undefined if it does not. Data for clients is always read and shown
   * through this function.
   */
  readonly narrow: Narrow;
  readonly engine: DataEngine;
  /** Path and query of the request. */
  readonly address: string;
  readonly preconditions: Preconditions;
  /**
   * Hash of the stored text of the record that a write expects, used instead of `If-Match`; set by callers within the service.
   */
  readonly expected?: string | undefined;
  /** Maximum number of bytes of one response. */
  readonly largestResponse: number;
  /** The query as it was sent, before defaults. */
  readonly sent: QueryString;
  /**
   * Of these media types, the one that the client prefers, or the first if it has no preference; undefined if it accepts none.
   */
  accepts(types: readonly string[]): string | undefined;
  /** The position of the data that includes everything so far; undefined if reads never run on a replica. */
  position(): Promise<string | undefined>;
  /** Aborts when the client has left or the server closes; whatever is waiting then ends. */
  ending(): AbortSignal;
  /**
   * Awaits `work`, and releases the memory that is reserved for the response in the meantime. Afterwards, rejects if the
   * request is no longer allowed, for example because its token was revoked.
   */
  whileIdle(work: () => Promise<void>): Promise<void>;
  /** Rejects if the request is no longer allowed, for example because its token was revoked. */
  recheck(): Promise<void>;
  /**
   * Counts the response as a stream of the application until it ends. Returns the signal of `ending`. Throws
   * SERVICE_RATE_LIMITED if the application has too many.
   */
  openStream(): AbortSignal;
}

/** What the handlers of the system surface can access: no data. */
export interface SystemContext {
  /** Rejects when the database cannot be reached. */
  ping(): Promise<void>;
}

/** What the handlers of the Management API can access: an application and its connections, without their data. */
export interface ManagementContext {
  readonly operation: Operation;
  /** The application that the request was authenticated for; there is no access to others. */
  readonly application: ApplicationScope;
  /** The client whose token the request has. */
  readonly clientId: string;
  /** Role of the operator of the console who sends the request; undefined if a client does. */
  readonly role: OperatorRole | undefined;
  /** The client and the request, as the audit log names them. */
  readonly origin: AuditOrigin;
  /**
   * Makes changes through the application that `work` receives, and records them in the audit log, in one transaction. Changes
   * that are not recorded are rolled back.
   */
  audited<T>(
    work: (application: ApplicationScope, record: (change: AuditChange) => Promise<void>) => Promise<T>,
  ): Promise<T>;
  readonly connections: ApplicationConnections;
  readonly mappings: FieldMappings;
  /** Where browsers reach the service, without a trailing slash. */
  readonly publicUrl: string;
  /** Sends a test event to a webhook endpoint of the application. Null if it has none with this id. */
  sendTestEvent(endpointId: string): ReturnType<Engine['sendTestEvent']>;
  /** The kinds of systems that can be connected. */
  readonly platforms: Engine['platforms'];
  /** MCP servers of third parties. */
  readonly thirdParties: Engine['thirdParties'];
  readonly accepts: DataContext['accepts'];
}

/** A call of an operation of the data API for an MCP user, which is checked and carried out like a request. */
export interface DataCall {
  readonly operation: Operation;
  readonly connectionId: string;
  readonly platform: string;
  readonly request: CallRequest;
  /** Key of the write, if any. */
  readonly idempotencyKey?: string | undefined;
  /** What the user can see; null means everything. */
  readonly access: TokenAccess | null;
  readonly expected?: string | undefined;
}

/**
 * What the handlers of the MCP surface can access: the policy of one user, and operations on the connections of its end customer.
 */
export interface McpContext {
  readonly user: McpTokenHolder;
  /** The end customer of the user; there is no access to others. */
  readonly customer: EndCustomerScope;
  /** Name of the program that sends the request, as reported by the program. */
  readonly agent: string | null;
  /** Number of tool calls that an application may make per calendar month; null means unlimited. */
  readonly callsPerMonth: number | null;
  readonly engine: Pick<Engine, 'platforms' | 'capabilities' | 'thirdParties' | 'syncStatus'>;
  /** Where clients reach the service, without a trailing slash. */
  readonly publicUrl: string;
  /** The data of a connection of the end customer, for capabilities and decisions. */
  scopeOf(connection: { readonly connectionId: string; readonly platform: string }): Scope;
  /** Rejects with the `ServiceError` of the operation. */
  run(call: DataCall): Promise<HttpResponse>;
}

/** What the handlers of the console can access: operators and their sessions, and the names of applications. */
export interface ConsoleContext {
  readonly store: Store;
  readonly publicUrl: string;
  readonly visit: Visit;
  readonly cookie: SessionCookie;
  /** The OpenID Connect provider, with the cookie of a sign-in that has begun and its secret; undefined without a provider. */
  readonly openId: OpenIdSignIn | undefined;
  /** The session of the request. Throws `SERVICE_UNAUTHORIZED` if there is none. */
  signedIn(): OpenConsoleSession;
  /** How operators can sign in. */
  methods(): Promise<SignInMethods>;
}

/** A sign-in with OpenID Connect. */
export interface OpenIdSignIn {
  readonly provider: OpenIdProvider;
  readonly cookie: SessionCookie;
  /** The secret in its cookie. */
  readonly secret: string | undefined;
}

/** What the handlers of OAuth can access: the credentials of a request, and tokens. */
export interface OAuthContext {
  /** Where clients reach the service, without a trailing slash; issuer of access tokens. */
  readonly publicUrl: string;
  /** Value of the `Authorization` header, which may contain the credentials of a client. */
  readonly authorization: string | undefined;
  readonly grants: TokenGrants;
  readonly agentGrants: AgentGrants;
  readonly accessTokens: AccessTokens;
  /** Starts the requested authorization: returns a redirect or a page. */
  beginAuthorization(): Promise<HttpResponse>;
}

/** The context of each surface. Every surface with served operations needs one. */
export interface Contexts extends Readonly<Record<Surface, unknown>> {
  readonly console: ConsoleContext;
  readonly data: DataContext;
  readonly management: ManagementContext;
  readonly mcp: McpContext;
  readonly oauth: OAuthContext;
  readonly system: SystemContext;
}
