import { hash } from 'node:crypto';
import { ServiceError } from '@unified/contract';
import type { TokenHolder } from '@unified/store';
import type { Authenticator, ConnectionPrincipal } from './authenticate.ts';
import { createLookUp } from './look-up.ts';
import { memoryTokenCache, type TokenCache } from './token-cache.ts';

const BEARER = /^Bearer +([\w.~+/-]{16,2000}=*)$/i;

/**
 * Authenticates connection tokens. Whether the connection is active is left to the caller.
 *
 * Rejects with `SERVICE_UNAUTHORIZED` or `SERVICE_TOKEN_EXPIRED`, and with `SERVICE_UNAVAILABLE` when the database cannot
 * be reached.
 */
export function connectionTokenAuthenticator(
  findHolder: (token: string) => Promise<TokenHolder | null>,
  cache: TokenCache = memoryTokenCache(),
): Authenticator<ConnectionPrincipal> {
  const lookUp = createLookUp(findHolder);
  return async (authorization) => {
    const token = tokenOf(authorization);
    const digest = hash('sha256', token);
    const cached = await cache.get(digest);
    const holder = cached === undefined ? await lookUp(digest, token) : cached;
    if (cached === undefined) await cache.set(digest, holder);
    if (!holder) throw notKnown();
    if (isExpired(holder)) throw expired(holder);
    return { credential: 'connectionToken', ...holder };
  };
}

function isExpired({ expiresAt }: TokenHolder): boolean {
  return expiresAt !== null && Date.parse(expiresAt) <= Date.now();
}

function tokenOf(authorization: string | undefined): string {
  if (authorization === undefined) throw unauthorized('Send the header Authorization: Bearer <CONNECTION_TOKEN>.');
  const token = BEARER.exec(authorization)?.[1];
  if (token === undefined) throw unauthorized('The header Authorization is not of the form Bearer <CONNECTION_TOKEN>.');
  return token;
}

function notKnown(): ServiceError {
  return unauthorized('The token is unknown or was revoked. Obtain a new one and retry once.');
}

function expired({ expiresAt }: TokenHolder): ServiceError {
  return new ServiceError('SERVICE_TOKEN_EXPIRED', `The token expired at ${expiresAt}. Renew it and retry once.`);
}

function unauthorized(message: string): ServiceError {
  return new ServiceError('SERVICE_UNAUTHORIZED', message);
}
