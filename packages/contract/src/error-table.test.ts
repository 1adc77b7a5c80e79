import { expect, test } from 'vitest';
import { errorTable } from './index.ts';

const rows = Object.entries(errorTable).map(([code, row]) => ({ code, ...row }));
const codes = (found: typeof rows) => found.map(({ code }) => code);

test('of the errors with a status below 500, only the rate limit is retryable, and not 408', () => {
  expect(codes(rows.filter(({ status, retryable }) => status < 500 && retryable))).toEqual(['SERVICE_RATE_LIMITED']);
});

test('502 is only the status of errors after which the outcome of a write is unknown', () => {
  expect(codes(rows.filter(({ status }) => status === 502))).toEqual([
    'SERVICE_SYSTEM_INVALID',
    'SERVICE_OUTCOME_UNKNOWN',
  ]);
});

test('a write that is known not to be carried out has a status other than 502, and its remedy names the same key', () => {
  const known = rows.filter(({ when }) => when.includes('A write was not carried out.'));
  expect(codes(known)).toEqual([
    'SERVICE_SYSTEM_UNAUTHORIZED',
    'SERVICE_SYSTEM_UNAVAILABLE',
    'SERVICE_SYSTEM_RATE_LIMITED',
  ]);
  for (const { status, do: remedy } of known) {
    expect([424, 503]).toContain(status);
    expect(remedy).toContain('with the same key');
  }
});

test('no text is cut at a comma: each condition and remedy is a sentence', () => {
  expect(rows.filter(({ when, do: remedy }) => !/[.:]$/.test(when) || !/\.$/.test(remedy))).toEqual([]);
});
