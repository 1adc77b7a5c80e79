import { setTimeout as pause } from 'node:timers/promises';
import { SystemError } from '@unified/connectors';

/** How often and at which intervals a call is retried after a temporary failure. */
export interface RetryPolicy {
  /** Number of attempts, including the first. */
  readonly attempts: number;
  /** Longest wait before the second attempt, in milliseconds. */
  readonly firstMs: number;
  /** Factor by which the longest wait grows with each attempt. */
  readonly factor: number;
  /** Upper bound of every wait, in milliseconds. */
  readonly longestMs: number;
}

/** Retry policies of a worker. */
export interface Policies {
  /** Sending a write. */
  readonly send: RetryPolicy;
  /** Looking up the outcome of a sent write, and reading it back. */
  readonly look: RetryPolicy;
  /** Reading a page of a stream. */
  readonly page: RetryPolicy;
}

/** Sending to a connected system: eight attempts, the last one about a quarter of an hour after the first. */
export const sendPolicy: RetryPolicy = { attempts: 8, firstMs: 2_000, factor: 3, longestMs: 600_000 };

/** Verifying the outcome of a call: soon at first, because the queue waits for it. */
export const lookPolicy: RetryPolicy = { attempts: 12, firstMs: 500, factor: 2.5, longestMs: 300_000 };

/** Reading a page of a stream within one run; a later run continues where this one stopped. */
export const pagePolicy: RetryPolicy = { attempts: 5, firstMs: 1_000, factor: 3, longestMs: 60_000 };

/**
 * Milliseconds to wait after attempt number `attempt` (from 1), with full jitter, so that connections that failed at the same
 * time do not retry at the same time. `retryAfter` (seconds, from the connected system) is a lower bound.
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

/** Maximum number of seconds that a read waits because the system requests it. A longer pause ends the run. */
const LONGEST_WAIT = 300;

const passing: readonly SystemError['kind'][] = ['unavailable', 'throttled', 'conflict', 'unknown', 'invalid'];

/**
 * Calls a function that only reads, and retries temporary failures. Throws the last failure; a failure that a retry cannot fix,
 * and that of a system that requests a pause of more than 5 minutes, is thrown immediately. An aborted wait rejects with the reason
 * of the signal.
 */
export function retried<T>(policy: RetryPolicy, call: () => Promise<T>, signal: AbortSignal): Promise<T> {
  const waitAfter = (error: unknown, attempt: number) => {
    const mayPass = error instanceof SystemError && passing.includes(error.kind);
    const isSoon = mayPass && (error.retryAfter ?? 0) <= LONGEST_WAIT;
    return isSoon && attempt < policy.attempts ? backoff(policy, attempt, { retryAfter: error.retryAfter }) : undefined;
  };
  return repeated(call, waitAfter, (ms) => pause(ms, undefined, { signal }));
}

/**
 * Calls a function that only reads until it succeeds.
 *
 * @param waitAfter Returns the milliseconds to wait after a failure; undefined if the failure must be thrown.
 */
export async function repeated<T>(
  call: () => Promise<T>,
  waitAfter: (error: unknown, attempt: number) => number | undefined,
  wait: (ms: number) => Promise<void>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call();
    } catch (error) {
      const ms = waitAfter(error, attempt);
      if (ms === undefined) throw error;
      await wait(ms);
    }
  }
}
