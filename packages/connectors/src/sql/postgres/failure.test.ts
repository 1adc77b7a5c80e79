import pg from 'pg';
import { expect, test } from 'vitest';
import { failureOf } from './failure.ts';

/** Errors from pg: a response from the database has an SQLSTATE, and a broken connection has the code of the operating system. */
const answer = (code: string) => Object.assign(new pg.DatabaseError('words', 5, 'error'), { code });
const failure = (code: string) =>
  /^(E[A-Z]+|)$/.test(code) ? Object.assign(new Error('words'), { code }) : answer(code);

test.each([
  ['ECONNREFUSED', 'unavailable'],
  ['EPIPE', 'unavailable'],
  ['28P01', 'unauthorized'],
  ['3D000', 'unauthorized'],
  ['42501', 'forbidden'],
  ['23505', 'duplicate'],
  ['P0001', 'rejected'],
  ['22P02', 'rejected'],
  ['40P01', 'conflict'],
  ['55P03', 'conflict'],
  ['57014', 'unavailable'],
  ['XX000', 'invalid'],
])('%s before the commit is %s', (code, kind) => {
  expect(failureOf(failure(code), { committing: false })).toMatchObject({ kind, words: 'words' });
});

test.each([
  ['ECONNRESET', 'unknown'],
  ['EPIPE', 'unknown'],
  ['', 'unknown'],
  ['57P01', 'unknown'],
  ['23505', 'duplicate'],
  ['40001', 'conflict'],
])('%s in response to the commit is %s', (code, kind) => {
  expect(failureOf(failure(code), { committing: true }).kind).toBe(kind);
});

test('a violated key is reported with the existing value', () => {
  const cause = Object.assign(failure('23505'), { detail: 'Key (code)=(DE) already exists.' });
  expect(failureOf(cause, { committing: false }).words).toBe('words: Key (code)=(DE) already exists.');
});

test('a connection string that cannot be parsed is not shown', () => {
  const cause = Object.assign(new Error('words'), { code: 'ERR_INVALID_URL', input: 'postgres://u:secret@' });
  const error = failureOf(cause, { committing: false });
  expect(error).toMatchObject({ kind: 'unauthorized', words: 'The connection string cannot be parsed' });
  expect(error.cause).toBeUndefined();
});
