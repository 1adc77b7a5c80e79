import type { IncomingMessage } from 'node:http';
import { type Operation, ServiceError } from '@unified/contract';
import type { TokenHolder } from '@unified/store';
import type { Authenticate } from './authenticate.ts';
import { isUnavailable } from './look-up.ts';
import { type RateLimiter, WINDOW_SECONDS } from './rate-limiter.ts';

/** Whether a request may go on, and the headers that its answer carries in any case, names and values in turn. */
export interface Admission {
  readonly headers: readonly string[];
  readonly connection?: TokenHolder;
  readonly refusal?: unknown;
}

export type Admit = (operation: Operation | undefined, request: IncomingMessage) => Promise<Admission>;

export interface AdmitOptions {
  readonly authenticate: Authenticate;
  readonly limiter: RateLimiter;
  /** Requests per minute that an application may send; undefined stands for a client without a valid token. */
  readonly limitOf: (applicationId: string | undefined) => number;
  /** Address of a client. */
  readonly addressOf: (request: IncomingMessage) => string;
}

/**
 * Decides who asks and whether they may ask now. Every request is counted, refused ones too: on the application of its
 * token, and on the client's address while there is no valid token. A request whose token cannot be looked up is refused
 * uncounted.
 */
export function createAdmit({ authenticate, limiter, limitOf, addressOf }: AdmitOptions): Admit {
  return async (operation, request) => {
    if (operation?.open) return { headers: [] };
    const { connection, refusal } = await identify(authenticate, request);
    // Neither a valid token nor an invalid one: counted on the address, an outage would end in 429 for valid clients.
    if (isUnavailable(refusal)) return { headers: limitHeaders(limitOf(undefined), 0, WINDOW_SECONDS), refusal };
    const key = connection ? `application ${connection.applicationId}` : `address ${addressOf(request)}`;
    const limit = limitOf(connection?.applicationId);
    const { used, reset } = await limiter.count(key);
    const headers = limitHeaders(limit, used, reset);
    if (used > limit) return { headers, refusal: rateLimited(limit, reset) };
    if (connection?.status === 'inactive') return { headers, refusal: inactive() };
    return { headers, ...(connection && { connection }), ...(refusal !== undefined && { refusal }) };
  };
}

async function identify(authenticate: Authenticate, request: IncomingMessage) {
  try {
    return { connection: await authenticate(request.headers.authorization), refusal: undefined };
  } catch (refusal) {
    return { connection: undefined, refusal };
  }
}

function limitHeaders(limit: number, used: number, reset: number): string[] {
  const remaining = Math.max(0, limit - used);
  return ['X-RateLimit-Limit', `${limit}`, 'X-RateLimit-Remaining', `${remaining}`, 'X-RateLimit-Reset', `${reset}`];
}

function rateLimited(limit: number, retryAfter: number): ServiceError {
  const message = `More than ${limit} requests in this minute. Nothing was done. Wait ${retryAfter} seconds.`;
  return new ServiceError('SERVICE_RATE_LIMITED', message, { retryAfter });
}

function inactive(): ServiceError {
  return new ServiceError('SERVICE_CONNECTION_INACTIVE', 'This connection is deactivated. Activate it first.');
}
