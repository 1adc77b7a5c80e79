import { expect, test } from 'vitest';
import { failureOf } from './failure.ts';
import type { PlatformOptions } from './options.ts';

const options = {} as PlatformOptions;
const failing = (status: number, headers: Record<string, string | undefined>, changes: boolean) =>
  failureOf({ status, headers, body: Buffer.alloc(0) }, { name: 'Acme', options, changes });

test.each([
  { status: 503, headers: {}, change: 'unknown', read: 'unavailable' },
  { status: 503, headers: { 'retry-after': '3' }, change: 'unknown', read: 'unavailable', retryAfter: 3 },
  { status: 502, headers: {}, change: 'unknown', read: 'unavailable' },
  { status: 429, headers: {}, change: 'throttled', read: 'throttled' },
  { status: 408, headers: {}, change: 'unknown', read: 'unavailable' },
  { status: 425, headers: {}, change: 'unavailable', read: 'unavailable' },
  { status: 403, headers: {}, change: 'forbidden', read: 'forbidden' },
  { status: 403, headers: { 'retry-after': '60' }, change: 'throttled', read: 'throttled', retryAfter: 60 },
])(
  'with status $status and $headers, a change is $change, a read $read',
  ({ status, headers, change, read, ...wait }) => {
    expect(failing(status, headers, true)).toMatchObject({ kind: change, ...wait });
    expect(failing(status, headers, false)).toMatchObject({ kind: read, ...wait });
  },
);

test('a platform can declare that a status means that nothing was changed', () => {
  const declared = { failures: { 503: { kind: 'unavailable' } } } as unknown as PlatformOptions;
  const response = { status: 503, headers: { 'retry-after': '3' }, body: Buffer.alloc(0) };
  const failure = failureOf(response, { name: 'Acme', options: declared, changes: true });
  expect(failure).toMatchObject({ kind: 'unavailable', retryAfter: 3 });
});
