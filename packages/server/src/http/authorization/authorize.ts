import type { IncomingMessage } from 'node:http';
import { type Operation, type OperationId, ServiceError, type Surface } from '@unified/contract';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { type Authenticate, applicationIdOf, isUnavailable, type Principal } from './authenticate.ts';

type Identified =
  | { readonly principal: Principal; readonly refusal?: undefined }
  | { readonly principal?: undefined; readonly refusal: unknown };

/** The sender of a request or the reason for its refusal, and the headers of its response: names and values in turn. */
export type Authorization = Identified & { readonly headers: readonly string[] };

export type Authorize = (operation: Operation | undefined, request: IncomingMessage) => Promise<Authorization>;

interface AuthorizeOptions {
  readonly authenticate: Authenticate;
  readonly limiter: RateLimiter;
  /** Requests per minute of an application on a surface; undefined: the budget of the surface. */
  readonly limitOf: (applicationId: string, surface: Surface) => number | undefined;
  /** Budgets that differ from the defaults. */
  readonly rateLimits?: RateLimits | undefined;
  /** Address of a client. */
  readonly clientOf: (request: IncomingMessage) => string;
}

/**
 * Identifies the sender of a request and decides whether the request is allowed now. Every request to a surface with a
 * rate budget is counted, including those that are refused: for the application of its principal, or for the client's
 * address if there is none. A request whose credentials cannot be looked up is refused without being counted.
 */
export function createAuthorize(options: AuthorizeOptions): Authorize {
  const { authenticate, limiter, limitOf, clientOf, rateLimits = {} } = options;
  return async (operation, request) => {
    const identified = await identify(authenticate, operation, request);
    const budget = rateBudgetOf(operation);
    if (!budget) return { headers: [], ...identified };
    const { principal, refusal } = identified;
    const application = budget.per === 'application' ? applicationIdOf(principal) : undefined;
    const own = application === undefined ? undefined : limitOf(application, budget.surface);
    const limit = own ?? rateLimits[budget.name] ?? budget.requestsPerMinute;
    // The credentials may be valid. Counted for the address, an outage would end in 429 for valid clients.
    if (isUnavailable(refusal)) return { headers: limitHeaders(limit, 0, WINDOW_SECONDS), refusal };
    const client = application === undefined ? `address ${clientOf(request)}` : `application ${application}`;
    const usage = await count(limiter, `${budget.surface} ${client}`);
    if (usage instanceof ServiceError) return { headers: limitHeaders(limit, 0, WINDOW_SECONDS), refusal: usage };
    const headers = limitHeaders(limit, usage.used, usage.reset);
    if (usage.used > limit) return { headers, refusal: rateLimited(limit, usage.reset) };
    if (principal && isInactive(principal)) return { headers, refusal: inactive() };
    return { headers, ...identified };
  };
}

async function count(limiter: RateLimiter, key: string): Promise<Usage | ServiceError> {
  try {
    return await limiter.count(key);
  } catch (cause) {
    return new ServiceError('SERVICE_UNAVAILABLE', 'Requests cannot be counted. Retry.', { cause, retryAfter: 1 });
  }
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

/** Names of the rate budgets. */
const BUDGET_NAMES = ['data', 'management', 'mcp', 'token'] as const;
type BudgetName = (typeof BUDGET_NAMES)[number];

/** Requests per minute by rate budget: of the data API, the Management API, the MCP surface and `POST /oauth/token`. */
export type RateLimits = Readonly<Partial<Record<BudgetName, number>>>;

/** How many requests a client may send per minute. */
interface RateBudget {
  readonly name: BudgetName;
  readonly surface: Surface;
  readonly requestsPerMinute: number;
  /**
   * The client that requests are counted for. Without valid credentials every request is counted for the client's
   * address.
   */
  readonly per: 'application' | 'address';
  /** The operations that are limited; all of the surface by default. */
  readonly operations?: readonly OperationId[];
}

const BUDGETS: readonly RateBudget[] = [
  { name: 'data', surface: 'data', requestsPerMinute: 600, per: 'application' },
  { name: 'mcp', surface: 'mcp', requestsPerMinute: 300, per: 'application' },
  { name: 'management', surface: 'management', requestsPerMinute: 120, per: 'application' },
  { name: 'token', surface: 'oauth', requestsPerMinute: 60, per: 'address', operations: ['issueToken'] },
];
const BY_SURFACE = new Map(BUDGETS.map((budget) => [budget.surface, budget]));

/**
 * Rate limits of a text such as `data=600,management=120,mcp=300,token=60`; names that it leaves out keep their
 * defaults. Undefined if the text has another form: each name once, with a whole number from 1 to 999999999.
 */
export function parseRateLimits(text: string): RateLimits | undefined {
  const limits: { [name in BudgetName]?: number } = {};
  for (const term of text.split(',')) {
    const { name, limit } = /^\s*(?<name>[a-z]+)=(?<limit>[1-9]\d{0,8})\s*$/.exec(term)?.groups ?? {};
    const known = BUDGET_NAMES.find((each) => each === name);
    if (known === undefined || limits[known] !== undefined) return undefined;
    limits[known] = Number(limit);
  }
  return limits;
}

/**
 * The budget that requests to an operation are counted on, by its surface in the document; undefined: they are not
 * limited. Requests to unknown addresses count as requests to the data API.
 */
function rateBudgetOf(operation: Pick<Operation, 'id' | 'surface'> | undefined): RateBudget | undefined {
  const budget = BY_SURFACE.get(operation?.surface ?? 'data');
  const isLimited = operation === undefined || (budget?.operations?.some((id) => id === operation.id) ?? true);
  return isLimited ? budget : undefined;
}

/** How much of a budget is used, including the current request. */
export interface Usage {
  readonly used: number;
  /** Whole seconds, 1 to 60, until the budget is available in full again. */
  readonly reset: number;
}

/**
 * Counts requests by key in windows of one minute; a window begins with its first request. The store can be shared by
 * several processes, which then share the budgets.
 */
export interface RateLimiter {
  /** Rejects when the store cannot be reached: the request is then refused with `SERVICE_UNAVAILABLE`. */
  count(key: string): Promise<Usage>;
}

/** Length of a window. */
const WINDOW_SECONDS = 60;

/** Counts in the memory of this process. */
export function memoryRateLimiter(): RateLimiter {
  // The library only counts. The caller compares with the budget, which differs by application.
  const counter = new RateLimiterMemory({ points: Number.MAX_SAFE_INTEGER, duration: WINDOW_SECONDS });
  return {
    async count(key) {
      const { consumedPoints, msBeforeNext } = await counter.consume(key);
      return { used: consumedPoints, reset: Math.min(WINDOW_SECONDS, Math.max(1, Math.ceil(msBeforeNext / 1000))) };
    },
  };
}

/**
 * The address of the client. Behind a reverse proxy (`trustProxy`) it is the last entry of `X-Forwarded-For`, which the
 * proxy itself has added; a client can forge the entries before it.
 */
export function clientAddress(request: IncomingMessage, trustProxy: boolean): string {
  const forwarded = trustProxy ? request.headers['x-forwarded-for'] : undefined;
  const last = (Array.isArray(forwarded) ? forwarded.join(',') : forwarded)?.split(',').at(-1)?.trim();
  return last || request.socket.remoteAddress || 'unknown';
}
