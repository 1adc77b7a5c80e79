import type { IncomingHttpHeaders } from 'node:http';
import { type CredentialIn, type CredentialKind, type Operation, ServiceError, type Surface } from '@unified/contract';
import type { McpTokenHolder, OpenConsoleSession, TokenHolder } from '@unified/store';
import type { AdminHolder } from '../../oauth/access-tokens.ts';

/** The headers of a request that can contain credentials. */
export type Credentials = Pick<IncomingHttpHeaders, 'authorization' | 'cookie'>;

/**
 * Returns the principal of the credentials of a request. Rejects with `SERVICE_UNAUTHORIZED` if the credential is missing or
 * unknown, and with another code if it is known but not valid, or cannot be looked up.
 */
export type Authenticator<Proven extends Principal = Principal> = (sent: Credentials) => Promise<Proven>;

/** One authenticator per kind of credential. A kind that an operation accepts must have one. */
export type Authenticators = { readonly [Kind in CredentialIn<Surface>]: Authenticator<PrincipalBy<Kind>> } & {
  readonly [Kind in CredentialKind]?: Authenticator<PrincipalBy<Kind>>;
};

/** Identifies the sender of a request. The operation is undefined for an address without one. */
export type Authenticate = (operation: Operation | undefined, sent: Credentials) => Promise<Principal>;

/**
 * Authenticates requests according to the `security` of their operation, with one of the kinds of credentials that it accepts.
 * A request for an address without an operation may carry any kind of credential; its sender is identified only so that the
 * request can be counted.
 */
export function createAuthenticate(authenticators: Authenticators): Authenticate {
  const implemented: Partial<Readonly<Record<CredentialKind, Authenticator>>> = authenticators;
  // A cookie is sent without being meant, so only tokens are recognized where they are not accepted.
  const known = (Object.keys(authenticators) as CredentialKind[]).filter((kind) => kind !== 'consoleSession');
  return async (operation, sent) => {
    if (operation && isOpen(operation)) return { credential: 'none' };
    const accepted = operation?.security ?? known;
    let refusal: ServiceError | undefined;
    for (const kind of accepted) {
      try {
        const principal = await implemented[kind]?.(sent);
        if (principal) return principal;
      } catch (error) {
        if (!isUnauthorized(error)) throw error;
        refusal ??= error;
      }
    }
    const others = known.flatMap((kind) => (accepted.includes(kind) ? [] : (implemented[kind] ?? [])));
    throw (await wrongKind(others, sent)) ?? refusal ?? noneAccepted();
  };
}

function isUnauthorized(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.code === 'SERVICE_UNAUTHORIZED';
}

const WRONG_KIND = {
  connectionToken:
    'This is the token of a connection, which is for the data API. The Management API needs an access token of an application: obtain one at POST /oauth/token with client credentials. MCP needs a personal access token.',
  adminToken:
    'This is an access token of an application, which is for the Management API. The data API needs the token of a connection: POST /connections/{id}/token issues one. MCP needs a personal access token.',
  personalAccessToken:
    'This is a personal access token of an MCP user, which is for the addresses below /mcp. Use a token of a connection for the data API, and an access token of an application for the Management API.',
} as const;

/** The refusal for a valid token of another kind. Undefined for any other token, about which nothing is revealed. */
async function wrongKind(others: readonly Authenticator[], sent: Credentials) {
  for (const other of others) {
    const principal = await other(sent).catch((error: unknown) => {
      if (error instanceof ServiceError) return undefined;
      throw error;
    });
    if (principal && principal.credential in WRONG_KIND)
      return new ServiceError('SERVICE_UNAUTHORIZED', WRONG_KIND[principal.credential as keyof typeof WRONG_KIND]);
  }
  return undefined;
}

/** Whether an operation needs no credentials. */
function isOpen({ security }: Operation): boolean {
  return security.length === 0;
}

function noneAccepted(): ServiceError {
  return new ServiceError('SERVICE_UNAUTHORIZED', 'No credentials are accepted here in this release.');
}

/** The sender of a request to an operation that is open to everyone. */
interface Anonymous {
  readonly credential: 'none';
}

/** The sender of a request with a token of a connection. */
export interface ConnectionPrincipal extends TokenHolder {
  readonly credential: 'connectionToken';
}

/** The sender of a request with an access token of an application. */
export interface ApplicationPrincipal extends AdminHolder {
  readonly credential: 'adminToken';
}

/** The sender of a request with a personal access token of an MCP user. */
export interface McpPrincipal extends McpTokenHolder {
  readonly credential: 'personalAccessToken';
}

/** The sender of a request with the cookie of a session of the console. */
export interface ConsolePrincipal extends OpenConsoleSession {
  readonly credential: 'consoleSession';
}

/** The sender of a request, by the kind of its credential. */
export type Principal = Anonymous | ConnectionPrincipal | ApplicationPrincipal | McpPrincipal | ConsolePrincipal;

/** The principal that a kind of credential identifies. */
type PrincipalBy<Kind extends CredentialKind> = Extract<Principal, { readonly credential: Kind }>;

/** The principals that may call the operations of a surface. */
type PrincipalOf<S extends Surface> = [CredentialIn<S>] extends [never] ? Anonymous : PrincipalBy<CredentialIn<S>>;

/** The id of the application that a principal belongs to. */
export function applicationIdOf(principal: Principal | undefined): string | undefined {
  return principal && 'applicationId' in principal ? principal.applicationId : undefined;
}

/** The id of the session of the console in which a principal sends requests, with its cookie or a token that was issued in it. */
export function consoleSessionIdOf(principal: Principal | undefined): string | undefined {
  if (principal?.credential === 'consoleSession') return principal.session.id;
  if (principal?.credential === 'adminToken') return principal.operator?.sessionId;
  return principal?.credential === 'connectionToken' ? (principal.sessionId ?? undefined) : undefined;
}

/**
 * The principal of a request to the data API, which accepts only connection tokens. If the document allows others, this does
 * not compile. Throws `SERVICE_UNAUTHORIZED` for any other principal.
 */
export function connectionPrincipal(principal: Principal): PrincipalOf<'data'> {
  if (principal.credential === 'connectionToken') return principal;
  throw new ServiceError('SERVICE_UNAUTHORIZED', 'This operation needs the token of a connection.');
}

/**
 * The principal of a request to the Management API, which accepts only access tokens of applications. If the document allows
 * others, this does not compile. Throws `SERVICE_UNAUTHORIZED` for any other principal.
 */
export function applicationPrincipal(principal: Principal): PrincipalOf<'management'> {
  if (principal.credential === 'adminToken') return principal;
  throw new ServiceError('SERVICE_UNAUTHORIZED', 'This operation needs an access token of an application.');
}

/**
 * The principal of a request to the MCP surface, which accepts only personal access tokens. If the document allows others, this
 * does not compile. Throws `SERVICE_UNAUTHORIZED` for any other principal.
 */
export function mcpPrincipal(principal: Principal): PrincipalOf<'mcp'> {
  if (principal.credential === 'personalAccessToken') return principal;
  throw new ServiceError('SERVICE_UNAUTHORIZED', 'This operation needs a personal access token of an MCP user.');
}

/** The open session of a request to the console. Throws `SERVICE_UNAUTHORIZED` if there is none. */
export function consolePrincipal(principal: Principal): OpenConsoleSession {
  if (principal.credential === 'consoleSession') return principal;
  throw new ServiceError('SERVICE_UNAUTHORIZED', 'There is no session. Sign in to the console.');
}

/** The id of the connection that a principal gives access to. */
export function connectionIdOf(principal: Principal | undefined): string | undefined {
  return principal?.credential === 'connectionToken' ? principal.connectionId : undefined;
}

/** The id of the token that a connection was authenticated with. */
export function tokenIdOf(principal: Principal | undefined): string | undefined {
  return principal?.credential === 'connectionToken' ? principal.tokenId : undefined;
}
