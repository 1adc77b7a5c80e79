import { ServiceError } from '@unified/contract';
import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { asUnavailable, failureLevel } from './failures.ts';

const refusal = (code: string) => Object.assign(new pg.DatabaseError('refused', 7, 'error'), { code });
const broken = (code: string) => Object.assign(new Error('broken'), { code });

test.each([
  ['57P01', 'it stops', refusal],
  ['08006', 'the connection broke', refusal],
  ['28P01', 'the password changed', refusal],
  ['53300', 'it has reached its connection limit', refusal],
  ['57014', 'a lock was held for too long', refusal],
  ['25006', 'it accepts no writes', refusal],
  ['ECONNREFUSED', 'the port is closed', broken],
  ['EHOSTUNREACH', 'the network is down', broken],
])('%s (%s) means that the database is unavailable', (code, _, error) => {
  expect(asUnavailable(error(code))).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfter: 1 });
});

test.each(['could not find valid entry for shard 102008', 'shard for the given value does not exist'])(
  'a shard that was replaced while a statement waited means that it can be repeated: %s',
  (message) => {
    const error = Object.assign(new pg.DatabaseError(message, 9, 'error'), {
      code: 'XX000',
    });
    expect(asUnavailable(error)).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfter: 1 });
  },
);

test.each([
  refusal('53100'),
  Object.assign(new pg.DatabaseError('could not write to file "x": No space left on device', 9, 'error'), {
    code: '58030',
  }),
])('a full disk is reported with a remedy', (error) => {
  expect(asUnavailable(error)).toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    message: 'The disk of the database is full. Free some space there, then retry.',
  });
});

test('an error that a retry cannot fix is not changed', () => {
  for (const error of [
    refusal('42P01'),
    refusal('23505'),
    broken('ENOENT'),
    new ServiceError('SERVICE_NOT_FOUND', ''),
  ]) {
    expect(asUnavailable(error)).toBe(error);
  }
});

test('the first line of an outage has level error, those of the same outage have level debug', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const fault = new Error('an internal error');
  expect(failureLevel(undefined)).toBe('error');
  expect(failureLevel(broken('ECONNREFUSED'))).toBe('error');
  expect(failureLevel(asUnavailable(refusal('57P01')))).toBe('debug');
  expect([failureLevel(undefined), failureLevel(fault)]).toEqual(['debug', 'error']);
  vi.advanceTimersByTime(59_000);
  expect(failureLevel(refusal('57P03'))).toBe('debug');
  vi.advanceTimersByTime(60_000);
  expect(failureLevel(refusal('57P03'))).toBe('error');
});
