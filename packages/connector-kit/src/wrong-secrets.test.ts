import { expect, test } from 'vitest';
import { wrongSecrets } from './wrong-secrets.ts';

const wrong = (token: string) => wrongSecrets({ secrets: ['token'] }, { token })[0]?.settings.token;

test('a wrong secret differs at its beginning and its end, and is as long', () => {
  expect(wrong('1-14-abcf')).toBe('2-14-abcg');
  expect(wrong('z9')).toBe('aa');
  expect(wrong('a')).toBe('b');
});

test('only the password of an address is replaced', () => {
  expect(wrong('postgres://erp:secret@db/erp')).toBe('postgres://erp:tecreu@db/erp');
  expect(wrong('postgres://erp@db/erp')).toBeUndefined();
});

test('a setting that is not set is not a secret', () => {
  expect(wrong('')).toBeUndefined();
});
