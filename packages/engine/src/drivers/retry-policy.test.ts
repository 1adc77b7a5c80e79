import { SystemError } from '@unified/connectors';
import { expect, test } from 'vitest';
import { backoff, type RetryPolicy, retried, sendPolicy } from './retry-policy.ts';

const policy: RetryPolicy = { attempts: 8, firstMs: 100, factor: 2, longestMs: 1_000 };

test.each([
  { attempt: 1, random: 1, want: 100 },
  { attempt: 2, random: 1, want: 200 },
  { attempt: 4, random: 0.5, want: 400 },
  { attempt: 8, random: 1, want: 1_000 },
  { attempt: 3, random: 0, want: 0 },
])('after attempt $attempt with random $random it waits $want ms', ({ attempt, random, want }) => {
  expect(backoff(policy, attempt, { random: () => random })).toBe(want);
});

test('never waits less than the connected system requested', () => {
  expect(backoff(policy, 1, { retryAfter: 7, random: () => 0 })).toBe(7_000);
});

test('sending stops retrying about a quarter of an hour after the first attempt', () => {
  const waits = Array.from({ length: sendPolicy.attempts - 1 }, (_, n) =>
    backoff(sendPolicy, n + 1, { random: () => 0.6 }),
  );
  const minutes = waits.reduce((sum, wait) => sum + wait, 0) / 60_000;
  expect(minutes).toBeGreaterThan(10);
  expect(minutes).toBeLessThan(20);
});

test('a read does not wait for a system that requests a pause of more than five minutes', async () => {
  let calls = 0;
  const call = async () => {
    calls += 1;
    throw new SystemError('throttled', 'Slow down.', { retryAfter: 301 });
  };
  await expect(retried(policy, call, new AbortController().signal)).rejects.toMatchObject({ retryAfter: 301 });
  expect(calls).toBe(1);
});
