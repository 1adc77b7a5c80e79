import { hash } from 'node:crypto';
import { ServiceError } from '@unified/contract';
import type { TokenHolder } from '@unified/store';
import { LRUCache } from 'lru-cache';
import type { Authenticator, ConnectionPrincipal } from './authenticate.ts';
import { createLookUp } from './look-up.ts';

const BEARER = /^Bearer +([\w.~+/-]{16,2000}=*)$/i;
const REMEMBERED_MS = 5_000;
/** A token that is issued after it was refused may not be refused for long. */
const REFUSED_MS = 2_000;
const MOST_REMEMBERED = 10_000;

/**
 * Authentication by connection tokens. A token found valid is remembered for 5 seconds, which is how long a revoked one
 * or a deactivated connection may still be served; an unknown one for 2 seconds.
 *
 * Rejects with `SERVICE_UNAUTHORIZED` or `SERVICE_TOKEN_EXPIRED`, and with `SERVICE_UNAVAILABLE` when the database does
 * not say. Whether the connection is active is left to the caller.
 */
export function connectionTokenAuthenticator(
  findHolder: (token: string) => Promise<TokenHolder | null>,
): Authenticator<ConnectionPrincipal> {
  const known = new LRUCache<string, ConnectionPrincipal>({ max: MOST_REMEMBERED, ttl: REMEMBERED_MS });
  // Apart from the others: invented tokens must not displace valid ones.
  const unknown = new LRUCache<string, true>({ max: MOST_REMEMBERED, ttl: REFUSED_MS });
  const lookUp = createLookUp(findHolder);
  return async (authorization) => {
    const token = tokenOf(authorization);
    const digest = hash('sha256', token);
    const remembered = known.get(digest);
    if (remembered && !isExpired(remembered)) return remembered;
    if (unknown.has(digest)) throw notKnown();
    const principal = remembered ?? principalOf(await lookUp(digest, token));
    if (!principal) {
      unknown.set(digest, true);
      throw notKnown();
    }
    if (!remembered) known.set(digest, principal);
    if (isExpired(principal)) throw expired(principal);
    return principal;
  };
}

function principalOf(holder: TokenHolder | null): ConnectionPrincipal | undefined {
  return holder ? { credential: 'connectionToken', ...holder } : undefined;
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
