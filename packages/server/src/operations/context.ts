import type { Operation, ServedSurface } from '@unified/contract';
import type { ApplicationConnections, Engine, FieldMappings } from '@unified/engine';
import type {
  ApplicationScope,
  AuditChange,
  AuditOrigin,
  EndCustomerScope,
  McpTokenHolder,
  Scope,
  TokenAccess,
  TokenScope,
} from '@unified/store';
import type { HttpResponse } from '../http-response.ts';
import type { CallRequest } from '../mcp/catalog/call-request.ts';
import type { AccessTokens } from '../oauth/access-tokens.ts';
import type { TokenGrants } from '../oauth/token-grants.ts';
import type { QueryString } from '../query/query-string.ts';
import type { Narrow } from '../query/token-access.ts';

/** Headers by which a client makes a request conditional (RFC 9110, section 13), as they were sent. */
export interface Preconditions {
  readonly ifMatch: string | undefined;
  readonly ifNoneMatch: string | undefined;
}

/** What the handlers of the data API can access: the data of one connection. */
export interface DataContext {
  readonly operation: Operation;
  /** The data of the connection that the request was authenticated for; there is no other access to data. */
  readonly scope: Scope;
  /** Whether the token allows reading and writing. */
  readonly scopes: readonly TokenScope[];
  /** What the token gives access to; null: everything. */
  readonly access: TokenAccess | null;
  /** An entity as the token may use it; undefined if it may not. Data for clients is read and shown through this. */
  readonly narrow: Narrow;
  readonly engine: Engine;
  /** Path and query of the request. */
  readonly address: string;
  readonly preconditions: Preconditions;
  /** Hash of the stored text of the record that a write expects, instead of `If-Match`; set by callers within the service. */
  readonly expected?: string | undefined;
  /** Bytes that one response may have. */
  readonly largestResponse: number;
  /** The query as it was sent, before defaults. */
  readonly sent: QueryString;
  /**
   * The media type of these that the client prefers, the first one without a preference; undefined if it accepts none.
   */
  accepts(types: readonly string[]): string | undefined;
  /** Aborts when the client has left, or the server closes: what waits then ends. */
  ending(): AbortSignal;
  /**
   * Awaits `work`, and in the meantime releases the memory that is reserved for the response. Then rejects if the request is no
   * longer allowed, for example because its token was revoked.
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
  /** That client and the request, as the audit log names them. */
  readonly origin: AuditOrigin;
  /**
   * Makes changes through the application that `work` receives, and records them in the audit log, in one transaction. What is
   * changed without being recorded is rolled back.
   */
  audited<T>(
    work: (application: ApplicationScope, record: (change: AuditChange) => Promise<void>) => Promise<T>,
  ): Promise<T>;
  readonly connections: ApplicationConnections;
  readonly mappings: FieldMappings;
  /** Where browsers reach the service, without a trailing slash. */
  readonly publicUrl: string;
  /** Sends a test event to a webhook endpoint of the application. Null if there is none with this id. */
  sendTestEvent(endpointId: string): ReturnType<Engine['sendTestEvent']>;
  /** The kinds of systems that can be connected. */
  readonly platforms: Engine['platforms'];
  readonly accepts: DataContext['accepts'];
}

/** A call of an operation of the data API for an MCP user, which is checked and carried out like a request. */
export interface DataCall {
  readonly operation: Operation;
  readonly connectionId: string;
  readonly platform: string;
  readonly request: CallRequest;
  /** Key of the write; absent: none. */
  readonly idempotencyKey?: string | undefined;
  /** What the user can see; null: everything. */
  readonly access: TokenAccess | null;
  readonly expected?: string | undefined;
}

/** What the handlers of the MCP surface can access: the policy of one user, and operations on the connections of its end customer. */
export interface McpContext {
  readonly user: McpTokenHolder;
  /** The end customer of the user; there is no access to others. */
  readonly customer: EndCustomerScope;
  /** Name of the program that sends the request, as it states. */
  readonly agent: string | null;
  /** Calls of tools that an application may make per calendar month; null: unlimited. */
  readonly callsPerMonth: number | null;
  readonly engine: Pick<Engine, 'platforms' | 'capabilities'>;
  /** Where clients reach the service, without a trailing slash. */
  readonly publicUrl: string;
  /** The data of a connection of the end customer, for capabilities and decisions. */
  scopeOf(connection: { readonly connectionId: string; readonly platform: string }): Scope;
  /** Rejects with the `ServiceError` of the operation. */
  run(call: DataCall): Promise<HttpResponse>;
}

/** What the handlers of OAuth can access: the credentials of a request, and tokens. */
export interface OAuthContext {
  /** Where clients reach the service, without a trailing slash; issuer of access tokens. */
  readonly publicUrl: string;
  /** Value of the header `Authorization`, which may contain the credentials of a client. */
  readonly authorization: string | undefined;
  readonly grants: TokenGrants;
  readonly accessTokens: AccessTokens;
  /** Starts the authorization that the request asks for: a redirect, or a page. */
  beginAuthorization(): Promise<HttpResponse>;
}

/** The context of each surface. A surface with served operations needs one. */
export interface Contexts extends Readonly<Record<ServedSurface, unknown>> {
  readonly data: DataContext;
  readonly management: ManagementContext;
  readonly mcp: McpContext;
  readonly oauth: OAuthContext;
  readonly system: SystemContext;
}
