import type { Policies } from '../src/drivers/retry-policy.ts';

const policy = { attempts: 4, firstMs: 10, factor: 2, longestMs: 100 };

/** Retries as in production, but with short delays. */
export const fastRetries: Policies = { send: policy, look: policy, page: { ...policy, attempts: 2 } };

/**
 * For workers that are killed: every interrupted call counts as an attempt, and one write may be interrupted many times by
 * chance.
 */
export const persistentRetries: Policies = { ...fastRetries, send: { ...policy, attempts: 100 } };
