import { RateLimiterMemory } from 'rate-limiter-flexible';

/** How much of a budget is used up, the present request included. */
export interface Usage {
  readonly used: number;
  /** Whole seconds, 1 to 60, until the budget is whole again. */
  readonly reset: number;
}

/** Counts requests by key in windows of one minute; a window begins with the first request in it. */
export interface RateLimiter {
  count(key: string): Promise<Usage>;
}

export const WINDOW_SECONDS = 60;

/** Counts in the memory of this process. */
export function memoryRateLimiter(): RateLimiter {
  // The library only counts; what is too much is decided by the caller, per application.
  const counter = new RateLimiterMemory({ points: Number.MAX_SAFE_INTEGER, duration: WINDOW_SECONDS });
  return {
    async count(key) {
      const { consumedPoints, msBeforeNext } = await counter.consume(key);
      return { used: consumedPoints, reset: Math.min(WINDOW_SECONDS, Math.max(1, Math.ceil(msBeforeNext / 1000))) };
    },
  };
}
