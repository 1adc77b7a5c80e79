import { hash } from 'node:crypto';
import { ServiceError } from '@unified/contract';
import type { Connection, Store } from '@unified/store';
import { LRUCache } from 'lru-cache';

/** Finds the connection that an `Authorization` header stands for. */
export type Authenticate = (authorization: string | undefined) => Promise<Connection>;

const BEARER = /^Bearer +([\w.~+/-]{16,2000}=*)$/i;
const REMEMBERED_MS = 5_000;
const MOST_REMEMBERED = 10_000;

/**
 * Authentication by connection tokens. A token found good is remembered for 5 seconds, which is how long a revoked one
 * or a deactivated connection may still be served.
 *
 * Rejects with `SERVICE_UNAUTHORIZED` or, for a deactivated connection, `SERVICE_CONNECTION_INACTIVE`.
 */
export function createAuthenticate(store: Pick<Store, 'connectionByToken'>): Authenticate {
  const known = new LRUCache<string, Connection>({ max: MOST_REMEMBERED, ttl: REMEMBERED_MS });
  return async (authorization) => {
    const token = tokenOf(authorization);
    const digest = hash('sha256', token);
    const connection = known.get(digest) ?? (await store.connectionByToken(token));
    if (!connection) throw unauthorized('The token is unknown, expired or revoked. Obtain a new one and retry once.');
    known.set(digest, connection);
    return connection;
  };
}

function tokenOf(authorization: string | undefined): string {
  if (authorization === undefined) throw unauthorized('Send the header Authorization: Bearer <CONNECTION_TOKEN>.');
  const token = BEARER.exec(authorization)?.[1];
  if (token === undefined) throw unauthorized('The header Authorization is not of the form Bearer <CONNECTION_TOKEN>.');
  return token;
}

function unauthorized(message: string): ServiceError {
  return new ServiceError('SERVICE_UNAUTHORIZED', message);
}
