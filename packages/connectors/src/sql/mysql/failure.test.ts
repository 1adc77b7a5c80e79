import { expect, test } from 'vitest';
import { failureOf } from './failure.ts';

/** Errors of the client: those of the server have a number and an SQLSTATE. */
const reported = (errno: number) => Object.assign(new Error('words of erp.orders'), { errno, sqlState: '42000' });
const broken = (code: string) => Object.assign(new Error('words'), { code, errno: -111 });

test.each([
  [reported(1045), 'unauthorized'],
  [reported(1049), 'unauthorized'],
  [reported(1142), 'forbidden'],
  [reported(1792), 'forbidden'],
  [reported(1062), 'duplicate'],
  [reported(1406), 'rejected'],
  [reported(1451), 'rejected'],
  [reported(1452), 'rejected'],
  [reported(1213), 'conflict'],
  [reported(1205), 'conflict'],
  [reported(1969), 'unavailable'],
  [reported(3024), 'unavailable'],
  [broken('ECONNREFUSED'), 'unavailable'],
  [broken('PROTOCOL_SEQUENCE_TIMEOUT'), 'unavailable'],
])('%o before the commit is %s, and clients see no name', (cause, kind) => {
  const failure = failureOf(cause, { committing: false });
  expect(failure.kind).toBe(kind);
  expect(failure.clientWords).not.toMatch(/orders|words/);
});

test.each([
  [broken('ECONNRESET'), 'unknown'],
  [reported(1053), 'unknown'],
  [reported(1180), 'unknown'],
  [reported(1317), 'unknown'],
  [reported(1213), 'conflict'],
  [reported(1062), 'duplicate'],
])('%o in response to the commit is %s', (cause, kind) => {
  expect(failureOf(cause, { committing: true }).kind).toBe(kind);
});

test('the message of a SIGNAL was written for users', () => {
  expect(failureOf(reported(1644), { committing: false }).clientWords).toBe('words of erp.orders');
});
