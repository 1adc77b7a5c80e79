import { setTimeout as pause } from 'node:timers/promises';
import { SystemError } from '@unified/connectors';

/** How often and how far apart something that failed for a passing reason is tried again. */
export interface RetryPolicy {
  /** Tries in all, the first one included. */
  readonly attempts: number;
  /** Longest wait before the second try, in milliseconds. */
  readonly firstMs: number;
  /** By how much the longest wait grows with each try. */
  readonly factor: number;
  /** Longest wait of all, in milliseconds. */
  readonly longestMs: number;
}

/** Retry policies of a worker. */
export interface Policies {
  /** Sending a write. */
  readonly send: RetryPolicy;
  /** Looking for the outcome of a sent write, and reading it back. */
  readonly look: RetryPolicy;
  /** Reading a page of a stream. */
  readonly page: RetryPolicy;
}

/** Sending to a connected system: eight tries, the last one about a quarter of an hour after the first. */
export const sendPolicy: RetryPolicy = { attempts: 8, firstMs: 2_000, factor: 3, longestMs: 600_000 };

/** Looking for the outcome of something sent: soon at first, because the queue waits for it. */
export const lookPolicy: RetryPolicy = { attempts: 12, firstMs: 500, factor: 2.5, longestMs: 300_000 };

/** Reading a page of a stream within one sync run; a later run goes on where this one gave up. */
export const pagePolicy: RetryPolicy = { attempts: 5, firstMs: 1_000, factor: 3, longestMs: 60_000 };

/**
 * Milliseconds to wait after the try with number `attempt` (from 1). Full jitter: connections that failed together do
 * not come back together. `retryAfter` (seconds, said by the connected system) is a lower bound.
 */
export function backoff(
  policy: RetryPolicy,
  attempt: number,
  options: { retryAfter?: number | undefined; random?: () => number } = {},
): number {
  const { retryAfter = 0, random = Math.random } = options;
  const longest = Math.min(policy.longestMs, policy.firstMs * policy.factor ** (attempt - 1));
  return Math.ceil(retryAfter * 1000 + random() * longest);
}

const passing: readonly SystemError['kind'][] = ['unavailable', 'throttled', 'conflict', 'unknown', 'invalid'];

/**
 * Calls something that only reads, again after failures that may pass. Throws the last failure, or at once one that a
 * repetition does not help. An aborted wait rejects with the signal's reason.
 */
export async function retried<T>(policy: RetryPolicy, call: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call();
    } catch (error) {
      const mayPass = error instanceof SystemError && passing.includes(error.kind);
      if (!mayPass || attempt >= policy.attempts) throw error;
      await pause(backoff(policy, attempt, { retryAfter: error.retryAfter }), undefined, { signal });
    }
  }
}
