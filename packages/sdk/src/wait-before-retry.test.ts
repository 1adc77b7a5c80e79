import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { retryAfterOf, waitBeforeRetry } from './wait-before-retry.ts';

describe('the wait before a retry', () => {
  it.each([
    [1, 0, 0, 1000],
    [2, 0, 0, 2000],
    [3, 0, 0, 4000],
    [4, 0, 0, 8000],
    [4, 0, 0.5, 9000],
    [1, 30_000, 0, 30_000],
    [4, 3000, 0, 8000],
  ])('after attempt %i with Retry-After %i ms and random %d is %i ms', (attempt, retryAfter, chance, wait) => {
    expect(waitBeforeRetry(attempt, retryAfter, () => chance)).toBe(wait);
  });
});

describe('Retry-After', () => {
  const asked = (value: string) => retryAfterOf(new Response(null, { headers: { 'Retry-After': value } }));

  it('is seconds', () => {
    expect(asked('12')).toBe(12_000);
  });

  it('is a date', () => {
    vi.useFakeTimers({ now: new Date('2026-11-20T10:00:00Z') });
    onTestFinished(() => void vi.useRealTimers());
    expect(asked('Fri, 20 Nov 2026 10:10:00 GMT')).toBe(600_000);
  });

  it('ends at its date', () => {
    expect(asked('Fri, 20 Nov 2020 10:00:00 GMT')).toBe(0);
  });

  it.each(['soon', ''])('requests no wait: %j', (value) => {
    expect(asked(value)).toBeUndefined();
  });

  it('may be missing', () => {
    expect(retryAfterOf(new Response())).toBeUndefined();
  });
});
