import type { IncomingMessage } from 'node:http';
import { type Operation, ServiceError } from '@unified/contract';
import { type Authenticate, applicationOf, isOpen, type Principal } from './authenticate.ts';
import { isUnavailable } from './look-up.ts';
import { type RateLimiter, WINDOW_SECONDS } from './rate-limiter.ts';

type Identified =
  | { readonly principal: Principal; readonly refusal?: undefined }
  | { readonly principal?: undefined; readonly refusal: unknown };

/** Who sends a request, or why it is refused, and the headers of its response in both cases, names and values in turn. */
export type Authorization = Identified & { readonly headers: readonly string[] };

export type Authorize = (operation: Operation | undefined, request: IncomingMessage) => Promise<Authorization>;

export interface AuthorizeOptions {
  readonly authenticate: Authenticate;
  readonly limiter: RateLimiter;
  /** Requests per minute that an application may send; undefined stands for a client without valid credentials. */
  readonly limitOf: (applicationId: string | undefined) => number;
  /** Address of a client. */
  readonly clientOf: (request: IncomingMessage) => string;
}

/**
 * Decides who sends a request and whether it is allowed now. Requests to open operations are neither authenticated nor
 * counted. Every other one is counted, refused ones too: on the application of its principal, and on the client's address
 * while there is none. A request whose credentials cannot be looked up is refused uncounted.
 */
export function createAuthorize({ authenticate, limiter, limitOf, clientOf }: AuthorizeOptions): Authorize {
  return async (operation, request) => {
    const identified = await identify(authenticate, operation, request);
    if (operation && isOpen(operation)) return { headers: [], ...identified };
    const { principal, refusal } = identified;
    // Neither valid credentials nor invalid ones: counted on the address, an outage would end in 429 for valid clients.
    if (isUnavailable(refusal)) return { headers: limitHeaders(limitOf(undefined), 0, WINDOW_SECONDS), refusal };
    const application = applicationOf(principal);
    const limit = limitOf(application);
    const counted = application === undefined ? `address ${clientOf(request)}` : `application ${application}`;
    const { used, reset } = await limiter.count(counted);
    const headers = limitHeaders(limit, used, reset);
    if (used > limit) return { headers, refusal: rateLimited(limit, reset) };
    if (principal && isInactive(principal)) return { headers, refusal: inactive() };
    return { headers, ...identified };
  };
}

async function identify(
  authenticate: Authenticate,
  operation: Operation | undefined,
  { headers }: IncomingMessage,
): Promise<Identified> {
  try {
    return { principal: await authenticate(operation, headers.authorization) };
  } catch (refusal) {
    return { refusal };
  }
}

function isInactive(principal: Principal): boolean {
  return principal.credential === 'connectionToken' && principal.status === 'inactive';
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

/**
 * The address of the client. Behind a reverse proxy (`trustProxy`) it is the last entry of `X-Forwarded-For`, the one
 * that the proxy itself has added; entries before it can be made up by the client.
 */
export function clientAddress(request: IncomingMessage, trustProxy: boolean): string {
  const forwarded = trustProxy ? request.headers['x-forwarded-for'] : undefined;
  const last = (Array.isArray(forwarded) ? forwarded.join(',') : forwarded)?.split(',').at(-1)?.trim();
  return last || request.socket.remoteAddress || 'unknown';
}
