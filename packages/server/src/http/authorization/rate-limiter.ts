import { RateLimiterMemory } from 'rate-limiter-flexible';

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
export const WINDOW_SECONDS = 60;

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
