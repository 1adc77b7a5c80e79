import { describe, expect, test } from 'vitest';
import { AddressRefused } from '../net/address-guard.ts';
import { HttpFailure, retryAfterSeconds, systemErrorOf } from './http-failure.ts';
import { failureOf } from './response-collector.ts';

describe('the meaning of a missing response', () => {
  test.each([
    { sent: false, changes: true, kind: 'unavailable' },
    { sent: true, changes: true, kind: 'unknown' },
    { sent: true, changes: false, kind: 'unavailable' },
  ])('sent: $sent, could change something: $changes -> $kind', ({ sent, changes, kind }) => {
    expect(systemErrorOf(new HttpFailure('timeout', sent, 'x'), { changes })).toMatchObject({ kind });
  });

  test('a read with a response that is too long is not retried', () => {
    expect(systemErrorOf(new HttpFailure('too-large', true, 'x'), { changes: false })).toMatchObject({
      kind: 'invalid',
    });
  });

  test('does not show clients what a name resolves to in the network of the service', () => {
    const lookup = Object.assign(new Error('getaddrinfo ENOTFOUND erp.intranet'), { syscall: 'getaddrinfo' });
    for (const cause of [lookup, new AddressRefused('erp.intranet', '10.1.2.3')])
      expect(systemErrorOf(failureOf(cause, false), { changes: true })).toMatchObject({
        words: cause.message,
        clientWords: 'The connected system cannot be reached',
      });
  });

  test('an internal error is passed on unchanged', () => {
    const fault = new TypeError('x');
    expect(systemErrorOf(fault, { changes: true })).toBe(fault);
  });
});

test.each([
  ['120', 120],
  ['Fri, 20 Nov 2026 09:01:00 GMT', 60],
  ['Fri, 20 Nov 2026 08:00:00 GMT', 0],
  ['soon', undefined],
  ['', undefined],
  [undefined, undefined],
])('Retry-After: %s means %s seconds', (header, seconds) => {
  expect(retryAfterSeconds(header, new Date('2026-11-20T09:00:00Z'))).toBe(seconds);
});
