import type { Policies } from '../src/drivers/retry-policy.ts';

const policy = { attempts: 4, firstMs: 10, factor: 2, longestMs: 100 };

/** Retries as in production, but in a hurry. */
export const fastRetries: Policies = { send: policy, look: policy, page: { ...policy, attempts: 2 } };

/** For workers that are killed: every call that was cut off counts as a try, and chance may cut off one write many times. */
export const persistentRetries: Policies = { ...fastRetries, send: { ...policy, attempts: 100 } };
