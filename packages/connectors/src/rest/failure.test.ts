import { expect, test } from 'vitest';
import { failureOf } from './failure.ts';
import type { PlatformOptions } from './options.ts';

const options = {} as PlatformOptions;
const failing = (status: number, headers: Record<string, string | undefined>, changes: boolean) =>
  failureOf({ status, headers, body: Buffer.alloc(0) }, { name: 'Acme', options, changes });

test.each([
  { status: 503, headers: {}, change: 'unknown', read: 'unavailable' },
  { status: 503, headers: { 'retry-after': '3' }, change: 'unavailable', read: 'unavailable' },
  { status: 502, headers: {}, change: 'unknown', read: 'unavailable' },
  { status: 429, headers: {}, change: 'throttled', read: 'throttled' },
])('with status $status and $headers, a change is $change, a read $read', ({ status, headers, change, read }) => {
  expect(failing(status, headers, true)).toMatchObject({ kind: change });
  expect(failing(status, headers, false)).toMatchObject({ kind: read });
});
