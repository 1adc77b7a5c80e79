import { describe, expect, test } from 'vitest';
import { LONGEST_MS, nextAttempt, outcomeOf, pauseAfter } from './delivery-schedule.ts';

const middle = () => 0.5;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

test('2xx is accepted; a redirect concerns the delivery; no response, 429, 502, 503 and 504 concern the endpoint', () => {
  const outcomes = [200, 204, 299, 301, 307, 400, 404, 410, 429, 500, 502, 503, 504, null];
  expect(outcomes.map((status) => outcomeOf({ status }))).toEqual([
    ...['accepted', 'accepted', 'accepted', 'refused', 'refused', 'refused', 'refused', 'gone'],
    ...['unavailable', 'refused', 'unavailable', 'unavailable', 'unavailable', 'unavailable'],
  ]);
});

describe('a delivery that an endpoint refuses', () => {
  const refused = { outcome: 'refused', firstAttemptAt: 0, failingSince: null } as const;

  test('is attempted after 5 seconds, 5 and 30 minutes, and so on for 3 days', () => {
    const times: number[] = [];
    for (let [attempts, now] = [1, 0]; ; attempts += 1) {
      const next = nextAttempt({ ...refused, attempts }, now, middle);
      if (next === null) break;
      times.push(next);
      now = next;
    }
    expect(times.slice(0, 4)).toEqual([5_000, 5_000 + 5 * MINUTE, 5_000 + 35 * MINUTE, 5_000 + 155 * MINUTE]);
    expect([times.length, times.at(-1)]).toEqual([9, LONGEST_MS]);
  });

  test('is attempted at times that vary by 20 percent', () => {
    const first = (random: number) => nextAttempt({ ...refused, attempts: 1 }, 0, () => random);
    expect([first(0), first(1)]).toEqual([4_000, 6_000]);
  });

  test('waits as long as it requests', () => {
    expect(nextAttempt({ ...refused, attempts: 1, retryAfter: 60 }, 0, middle)).toBe(60_000);
  });

  test('is kept if the endpoint has accepted nothing since its first attempt', () => {
    const after = LONGEST_MS + 1;
    expect(nextAttempt({ ...refused, attempts: 9, failingSince: 500 }, after, middle)).toBeGreaterThan(after);
    expect(nextAttempt({ ...refused, attempts: 9, failingSince: HOUR }, after, middle)).toBeNull();
  });
});

test('a delivery to an unavailable endpoint is repeated within 15 minutes of its return', () => {
  const unavailable = { outcome: 'unavailable', firstAttemptAt: 0, failingSince: 0 } as const;
  const waits = [1, 2, 3, 9].map((attempts) => nextAttempt({ ...unavailable, attempts }, 0, middle));
  expect(waits).toEqual([5_000, 5 * MINUTE, 15 * MINUTE, 15 * MINUTE]);
});

test('an unavailable endpoint is called again after 5 seconds to 15 minutes, and not before Retry-After', () => {
  expect([1, 2, 3, 20].map((failures) => pauseAfter(failures, 0, middle))).toEqual([
    5_000,
    10_000,
    20_000,
    15 * MINUTE,
  ]);
  expect([0, 1].map((random) => pauseAfter(1, 0, () => random))).toEqual([4_000, 6_000]);
  expect(pauseAfter(1, 3_600, middle)).toBe(HOUR);
});
