import { hash } from 'node:crypto';
import { type CredentialKind, ServiceError } from '@unified/contract';
import type { McpTokenHolder, TokenHolder } from '@unified/store';
import { LRUCache } from 'lru-cache';
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

/**
 * Caches the holders of tokens. Keys are SHA-256 digests; the tokens themselves are never stored. Several processes can share
 * the store. If a method rejects, the token is treated as not cached.
 */
export interface TokenCache<Holder = TokenHolder> {
  /** The holder; null for a token that is known not to exist, undefined for one that is not cached. */
  get(digest: string): Promise<Holder | null | undefined>;
  /** Stores an entry for `KNOWN_TOKEN_MS`, or for `UNKNOWN_TOKEN_MS` if the holder is null. */
  set(digest: string, holder: Holder | null): Promise<void>;
}

/** Milliseconds for which requests with a revoked token or for a deactivated connection may still be served. */
export const KNOWN_TOKEN_MS = 5_000;
/** Milliseconds for which a token that was refused as unknown may still be refused after it is issued. */
export const UNKNOWN_TOKEN_MS = 2_000;
/** By default, the cache would remember the time for a millisecond, with a timer that wakes the process each time. */
const CACHE = { max: 10_000, ttlResolution: 0 };

/** Caches in the memory of this process, at most 10,000 valid and 10,000 unknown tokens. */
function memoryTokenCache<Holder extends object>(): TokenCache<Holder> {
  const known = new LRUCache<string, Holder>({ ...CACHE, ttl: KNOWN_TOKEN_MS });
  // A separate cache, because made-up tokens must not evict valid ones.
  const unknown = new LRUCache<string, true>({ ...CACHE, ttl: UNKNOWN_TOKEN_MS });
  return {
    get: async (digest) => known.get(digest) ?? (unknown.has(digest) ? null : undefined),
    async set(digest, holder) {
      if (holder) known.set(digest, holder);
      else unknown.set(digest, true);
    },
  };
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
