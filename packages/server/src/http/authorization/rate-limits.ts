import { type Operation, type OperationId, ServiceError, type Surface } from '@unified/contract';
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';

/** Names of the rate budgets. */
const BUDGET_NAMES = ['console', 'data', 'management', 'mcp', 'token'] as const;
type BudgetName = (typeof BUDGET_NAMES)[number];

/**
 * Requests per minute by rate budget: of a session of the console, for the data API, the Management API, the MCP surface, and
 * requests for tokens.
 */
export type RateLimits = Readonly<Partial<Record<BudgetName, number>>>;

/** How many requests a client may send per minute. */
interface RateBudget {
  readonly name: BudgetName;
  readonly surface: Surface;
  readonly requestsPerMinute: number;
  /** What requests are counted for. Without valid credentials, every request is counted for the client's address. */
  readonly per: 'application' | 'address';
  /** The operations that are limited; by default, all operations of the surface. */
  readonly operations?: readonly OperationId[];
}

/** Operations that accept a client secret. None of them may be usable for guessing it. */
const WITH_SECRETS: readonly OperationId[] = ['issueToken', 'linkToken', 'revokeToken'];

const BUDGETS: readonly RateBudget[] = [
  // Requests without a session; those of a session have `requestsOfSession`.
  { name: 'console', surface: 'console', requestsPerMinute: 600, per: 'address' },
  { name: 'data', surface: 'data', requestsPerMinute: 600, per: 'application' },
  { name: 'mcp', surface: 'mcp', requestsPerMinute: 300, per: 'application' },
  // Its requests have no token. They are counted separately from others without a token, which would otherwise use up its
  // limit.
  { name: 'data', surface: 'system', requestsPerMinute: 600, per: 'address' },
  { name: 'management', surface: 'management', requestsPerMinute: 120, per: 'application' },
  { name: 'token', surface: 'oauth', requestsPerMinute: 60, per: 'address', operations: WITH_SECRETS },
];
/**
 * Requests of all surfaces that a session of the console may send per minute. Its pages are live, so it is counted apart from the
 * application.
 */
export function requestsOfSession({ console: limit = 600 }: RateLimits): number {
  return limit;
}

const BY_SURFACE = new Map(BUDGETS.map((budget) => [budget.surface, budget]));

/**
 * Parses rate limits such as `console=600,data=600,management=120,mcp=300,token=60`; omitted names keep their defaults. Returns
 * undefined if a name is unknown or repeated, or a value is not a whole number from 1 to 999999999.
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
 * The budget that requests to an operation count against, according to its surface in the document; undefined if they are not
 * limited. Requests to unknown addresses count as requests to the data API.
 */
export function rateBudgetOf(operation: Pick<Operation, 'id' | 'surface'> | undefined): RateBudget | undefined {
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
 * Counts requests by key in windows of one minute; a window begins with its first request. Several processes can share the
 * store, and then also share the budgets.
 */
export interface RateLimiter {
  /** Rejects when the store cannot be reached: the request is then refused with `SERVICE_UNAVAILABLE`. */
  count(key: string): Promise<Usage>;
}

/** A store that processes share. */
export interface SharedRateLimiter extends RateLimiter {
  /** Ends its connections. */
  close(): Promise<void>;
}

/** Length of a window. */
export const WINDOW_SECONDS = 60;

/** Counts in the memory of this process. */
export function memoryRateLimiter(): RateLimiter {
  // The library only counts. The caller compares the count with the budget, which differs by application.
  const counter = new RateLimiterMemory({ points: Number.MAX_SAFE_INTEGER, duration: WINDOW_SECONDS });
  return {
    async count(key) {
      return usageOf(await counter.consume(key));
    },
  };
}

/** The usage of a budget after counting a request. */
export function usageOf({
  consumedPoints,
  msBeforeNext,
}: Pick<RateLimiterRes, 'consumedPoints' | 'msBeforeNext'>): Usage {
  return { used: consumedPoints, reset: Math.min(WINDOW_SECONDS, Math.max(1, Math.ceil(msBeforeNext / 1000))) };
}

/** Counts a request; returns the error to refuse it with if it cannot be counted. */
export async function countRequest(limiter: RateLimiter, key: string): Promise<Usage | ServiceError> {
  try {
    return await limiter.count(key);
  } catch (cause) {
    return new ServiceError('SERVICE_UNAVAILABLE', 'Requests cannot be counted. Retry.', { cause, retryAfter: 1 });
  }
}

/** Headers that describe a limit, as alternating names and values. `reset` is in seconds. */
export function limitHeaders(limit: number, used: number, reset: number): string[] {
  const remaining = Math.max(0, limit - used);
  return ['X-RateLimit-Limit', `${limit}`, 'X-RateLimit-Remaining', `${remaining}`, 'X-RateLimit-Reset', `${reset}`];
}

/** The error for a request over its limit. `retryAfter` is in seconds. */
export function rateLimited(limit: number, retryAfter: number): ServiceError {
  const message = `More than ${limit} requests in this minute. Nothing was done. Wait ${retryAfter} seconds.`;
  return new ServiceError('SERVICE_RATE_LIMITED', message, { retryAfter });
}
