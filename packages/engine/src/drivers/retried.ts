import { setTimeout as pause } from 'node:timers/promises';
import { SystemError } from '@unified/connectors';
import { backoff, type RetryPolicy } from './retry-policy.ts';

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
