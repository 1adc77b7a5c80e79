import type { IncomingMessage } from 'node:http';
import { type Operation, ServiceError, type Surface } from '@unified/contract';
import ipaddr from 'ipaddr.js';
import { type Authenticate, applicationIdOf, consoleSessionIdOf, type Principal } from './authenticate.ts';
import {
  countRequest,
  limitHeaders,
  type RateLimiter,
  type RateLimits,
  rateBudgetOf,
  rateLimited,
  requestsOfSession,
  WINDOW_SECONDS,
} from './rate-limits.ts';
import { isUnavailable } from './token-authenticator.ts';

type Identified =
  | { readonly principal: Principal; readonly refusal?: undefined }
  | { readonly principal?: undefined; readonly refusal: unknown };

/** The sender of a request or the reason why it is refused, and the headers of its response as alternating names and values. */
export type Authorization = Identified & {
  readonly headers: readonly string[];
  /** The sender, even if the request is refused. Absent for requests over the rate limit, which would fill the request log. */
  readonly sender?: Principal | undefined;
};

export interface Authorizer {
  /**
   * Identifies the sender of a request and decides whether the request is allowed now. Every request to a surface with a rate
   * budget is counted, including refused ones: for the session of the console in which it is sent, the application of its
   * principal, or for the client's address if there is no principal. A request whose credentials cannot be looked up is refused
   * without being counted.
   */
  authorize(operation: Operation | undefined, request: IncomingMessage): Promise<Authorization>;
  /** Rejects with a reason if the sender of a long request is no longer allowed to make it. */
  recheck(operation: Operation, request: IncomingMessage): Promise<void>;
}

interface AuthorizerOptions {
  readonly authenticate: Authenticate;
  readonly limiter: RateLimiter;
  /** Requests per minute of an application on a surface; undefined means the budget of the surface. */
  readonly limitOf: (applicationId: string, surface: Surface) => number | undefined;
  /** Budgets that differ from the defaults. */
  readonly rateLimits?: RateLimits | undefined;
  /** Address of a client. */
  readonly clientOf: (request: IncomingMessage) => string;
}

export function createAuthorizer(options: AuthorizerOptions): Authorizer {
  const { authenticate, limiter, limitOf, clientOf, rateLimits = {} } = options;
  const authorize: Authorizer['authorize'] = async (operation, request) => {
    const identified = await identify(authenticate, operation, request);
    const budget = rateBudgetOf(operation);
    const { principal, refusal } = identified;
    if (!budget) return { ...identified, headers: [], sender: principal };
    const session = consoleSessionIdOf(principal);
    const application = budget.per === 'application' ? applicationIdOf(principal) : undefined;
    const own = application === undefined ? undefined : limitOf(application, budget.surface);
    const ofSurface = own ?? rateLimits[budget.name] ?? budget.requestsPerMinute;
    const limit = session === undefined ? ofSurface : requestsOfSession(rateLimits);
    // The credentials may be valid. If these requests counted for the address, valid clients would get 429 during an outage.
    if (isUnavailable(refusal)) return { headers: limitHeaders(limit, 0, WINDOW_SECONDS), refusal };
    const client = application === undefined ? `address ${clientOf(request)}` : `application ${application}`;
    const key = session === undefined ? `${budget.surface} ${client}` : `console session ${session}`;
    const usage = await countRequest(limiter, key);
    if (usage instanceof ServiceError) return { headers: limitHeaders(limit, 0, WINDOW_SECONDS), refusal: usage };
    const headers = limitHeaders(limit, usage.used, usage.reset);
    if (usage.used > limit) return { headers, refusal: rateLimited(limit, usage.reset) };
    if (principal && isInactive(principal)) return { headers, refusal: inactive(), sender: principal };
    return { ...identified, headers, sender: principal };
  };
  return {
    authorize,
    async recheck(operation, { headers }) {
      if (isInactive(await authenticate(operation, headers))) throw inactive();
    },
  };
}

async function identify(
  authenticate: Authenticate,
  operation: Operation | undefined,
  { headers }: IncomingMessage,
): Promise<Identified> {
  try {
    return { principal: await authenticate(operation, headers) };
  } catch (refusal) {
    return { refusal };
  }
}

function isInactive(principal: Principal): boolean {
  return principal.credential === 'connectionToken' && principal.status === 'inactive';
}

function inactive(): ServiceError {
  return new ServiceError('SERVICE_CONNECTION_INACTIVE', 'This connection is deactivated. Activate it first.');
}

/** Number of leading bits of an IPv6 address that a subscriber cannot choose. */
const SUBSCRIBER_BITS = 64;

/** Maximum number of characters of an address that a proxy sends in an unknown format. */
const LONGEST_ADDRESS = 100;

/**
 * The address for which requests of a client are counted. For IPv6, it is the network of the subscriber, who has 2^64
 * addresses.
 */
export function clientAddress(request: IncomingMessage, trustProxy: boolean): string {
  return networkOf(senderAddress(request, trustProxy));
}

/**
 * The IP address of a client. Behind a reverse proxy (`trustProxy`) it is the last entry of `X-Forwarded-For`, which the proxy
 * itself has added; a client can forge the entries before it.
 */
export function senderAddress(request: IncomingMessage, trustProxy: boolean): string {
  const forwarded = trustProxy ? request.headers['x-forwarded-for'] : undefined;
  const last = (Array.isArray(forwarded) ? forwarded.join(',') : forwarded)?.split(',').at(-1)?.trim();
  const address = last || request.socket.remoteAddress || 'unknown';
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : address.slice(0, LONGEST_ADDRESS);
}

function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed}/${SUBSCRIBER_BITS}`)}/${SUBSCRIBER_BITS}`;
}
