import { expect, test } from 'vitest';
import { failureOf } from './failure.ts';

const failure = (code: string) => Object.assign(new Error('words'), { code });

test.each([
  ['ECONNREFUSED', 'unavailable'],
  ['28P01', 'unauthorized'],
  ['3D000', 'unauthorized'],
  ['42501', 'unauthorized'],
  ['23505', 'rejected'],
  ['P0001', 'rejected'],
  ['22P02', 'rejected'],
  ['40P01', 'unavailable'],
  ['57014', 'unavailable'],
  ['XX000', 'invalid'],
])('%s before the commit is %s', (code, kind) => {
  expect(failureOf(failure(code), { committing: false })).toMatchObject({ kind, words: 'words' });
});

test.each([
  ['ECONNRESET', 'unknown'],
  ['', 'unknown'],
  ['57P01', 'unknown'],
  ['23505', 'rejected'],
  ['40001', 'unavailable'],
])('%s in answer to the commit is %s', (code, kind) => {
  expect(failureOf(failure(code), { committing: true }).kind).toBe(kind);
});
