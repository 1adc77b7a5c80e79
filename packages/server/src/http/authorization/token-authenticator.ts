import { hash } from 'node:crypto';
import { type CredentialKind, ServiceError } from '@unified/contract';
import type { McpTokenHolder, TokenHolder } from '@unified/store';
import type { AdminHolder } from '../../oauth/access-tokens.ts';
import type {
  ApplicationPrincipal,
  Authenticator,
  ConnectionPrincipal,
  Credentials,
  McpPrincipal,
} from './authenticate.ts';
import {
  ACCESS_TOKEN,
  bearerToken,
  CONNECTION_TOKEN,
  type DescribedToken,
  PERSONAL_ACCESS_TOKEN,
} from './bearer-header.ts';
import { memoryTokenCache, type TokenCache } from './token-cache.ts';

/**
 * Authenticates connection tokens. The caller must check whether the connection is active.
 *
 * Rejects with `SERVICE_UNAUTHORIZED` or `SERVICE_TOKEN_EXPIRED`, and with `SERVICE_UNAVAILABLE` when the database cannot be
 * reached.
 */
export function connectionTokenAuthenticator(
  findHolder: (token: string) => Promise<TokenHolder | null>,
  onCacheError: (error: unknown) => void,
  cache: TokenCache = memoryTokenCache(),
): Authenticator<ConnectionPrincipal> {
  return bearerAuthenticator('connectionToken', { findHolder, onCacheError, cache, wanted: CONNECTION_TOKEN });
}

/** Authenticates access tokens for the Management API. Rejects like `connectionTokenAuthenticator`. */
export function adminTokenAuthenticator(
  findHolder: (token: string) => Promise<AdminHolder | null>,
  onCacheError: (error: unknown) => void,
  cache: TokenCache<AdminHolder> = memoryTokenCache(),
): Authenticator<ApplicationPrincipal> {
  return bearerAuthenticator('adminToken', { findHolder, onCacheError, cache, wanted: ACCESS_TOKEN });
}

/** Authenticates personal access tokens of MCP users. Rejects like `connectionTokenAuthenticator`. */
export function personalAccessTokenAuthenticator(
  findHolder: (token: string) => Promise<McpTokenHolder | null>,
  onCacheError: (error: unknown) => void,
  cache: TokenCache<McpTokenHolder> = memoryTokenCache(),
): Authenticator<McpPrincipal> {
  return bearerAuthenticator('personalAccessToken', { findHolder, onCacheError, cache, wanted: PERSONAL_ACCESS_TOKEN });
}

/** What a look-up by token returns. */
interface Expiring {
  /** RFC 3339; null if it does not expire. */
  readonly expiresAt: string | null;
}

interface BearerOptions<Holder extends Expiring> {
  readonly findHolder: (token: string) => Promise<Holder | null>;
  readonly onCacheError: (error: unknown) => void;
  readonly cache: TokenCache<Holder>;
  /** Description of the token in messages. */
  readonly wanted: DescribedToken;
}

/**
 * Authenticates bearer tokens. If the cache fails to return or store a holder, the token is looked up as if it were not cached,
 * and the error is passed to `onCacheError`.
 */
function bearerAuthenticator<Credential extends CredentialKind, Holder extends Expiring>(
  credential: Credential,
  { findHolder, onCacheError, cache, wanted }: BearerOptions<Holder>,
) {
  const lookUp = createLookUp(findHolder);
  const notCached = (error: unknown) => {
    onCacheError(error);
    return undefined;
  };
  return async ({ authorization }: Credentials) => {
    const token = bearerToken(authorization, wanted);
    const digest = hash('sha256', token);
    const cached = await cache.get(digest).catch(notCached);
    const holder = cached === undefined ? await lookUp(digest, token) : cached;
    if (cached === undefined) await cache.set(digest, holder).catch(notCached);
    if (!holder) throw notKnown();
    if (isExpired(holder)) throw expired(holder);
    return { ...holder, credential };
  };
}

function isExpired({ expiresAt }: Expiring): boolean {
  return expiresAt !== null && Date.parse(expiresAt) <= Date.now();
}

function notKnown(): ServiceError {
  const message = 'The token is unknown or was revoked. Obtain a new one and retry once.';
  return new ServiceError('SERVICE_UNAUTHORIZED', message);
}

function expired({ expiresAt }: Expiring): ServiceError {
  return new ServiceError('SERVICE_TOKEN_EXPIRED', `The token expired at ${expiresAt}. Renew it and retry once.`);
}

/** Maximum number of concurrent look-ups. They end within a millisecond unless the database hangs. */
const MOST_IN_FLIGHT = 1_000;
/** Milliseconds between queries while the database is unreachable. */
const PAUSE_MS = 1_000;

/**
 * Looks up keys. Concurrent look-ups of the same key share a query. While the database is unreachable, it is queried once a
 * second and other look-ups reject with SERVICE_UNAVAILABLE. These requests are not rate limited, so they must be cheap.
 */
export function createLookUp<Found>(ask: (key: string) => Promise<Found>) {
  const inFlight = new Map<string, Promise<Found>>();
  let unavailable: { readonly error: ServiceError; readonly until: number } | undefined;
  const begin = async (name: string, key: string): Promise<Found> => {
    try {
      const found = await ask(key);
      unavailable = undefined;
      return found;
    } catch (error) {
      if (isUnavailable(error)) unavailable = { error, until: performance.now() + PAUSE_MS };
      throw error;
    } finally {
      inFlight.delete(name);
    }
  };
  /** `name` identifies the key among the concurrent look-ups. */
  return (name: string, key: string): Promise<Found> => {
    const same = inFlight.get(name);
    if (same) return same;
    if (unavailable && performance.now() < unavailable.until) return Promise.reject(unavailable.error);
    if (inFlight.size >= MOST_IN_FLIGHT) return Promise.reject(overloaded());
    const asked = begin(name, key);
    inFlight.set(name, asked);
    return asked;
  };
}

/** Whether an error means that the token could not be looked up. It may still be valid. */
export function isUnavailable(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.code === 'SERVICE_UNAVAILABLE';
}

function overloaded(): ServiceError {
  return new ServiceError('SERVICE_UNAVAILABLE', 'Too many tokens are being looked up. Retry.', { retryAfter: 1 });
}
