import { afterEach, expect, test, vi } from 'vitest';
import { KnownSecrets } from './known-secrets.ts';

const secrets = () => new KnownSecrets({ secrets: ['password'] }, { user: 'api-user', password: 'p@ss "word"' });

afterEach(() => {
  vi.restoreAllMocks();
});

test.each([
  ['issued/token+1', '[hidden]'],
  ['Bearer issued/token+1, twice: issued/token+1', 'Bearer [hidden], twice: [hidden]'],
  ['issued/token+1issued/token+1', '[hidden][hidden]'],
  ['token=issued%2Ftoken%2B1', 'token=[hidden]'],
  [String.raw`issued\"token 2 and issued%22token+2 and issued%22token%202`, '[hidden] and [hidden] and [hidden]'],
  ['p%40ss+%22word%22 of cC1hcGk', '[hidden] of cC1hcGk'],
  ['nothing to hide, issued', 'nothing to hide, issued'],
  ['', ''],
])('issued secrets are hidden in all spellings, as those of the settings are: %s', (text, shown) => {
  const { hide, add } = secrets();
  add('issued/token+1');
  add('issued"token 2');
  expect(hide(text)).toBe(shown);
});

test('a secret that begins within another one is hidden completely', () => {
  const { hide, add } = secrets();
  for (const secret of ['abcdefgh', 'efghijkl', 'cdefgh']) add(secret);
  expect(hide('xabcdefghijklx abcdefghx cdefgh')).toBe('x[hidden]x [hidden]x [hidden]');
});

test('a secret that is cut off before a mark is hidden, unless it is too short to be found', () => {
  const { hide, add } = secrets();
  add('abcdefghijkl');
  expect(hide('abcdefg… abcdef…\nabcde… abcdef')).toBe('[hidden]… [hidden]…\nabcde… abcdef');
});

/** Different secrets of this length. */
function secretsOf(count: number, length: number, rest = 'x'): string[] {
  return Array.from({ length: count }, (_, index) => `secret-${index + 100}`.padEnd(length, rest));
}

/** How many of the secrets, from the latest to the first, are hidden. */
function hiddenOf(issued: readonly string[], { hide, add }: KnownSecrets): number {
  for (const secret of issued) add(secret);
  const shown = issued.map(hide);
  const hidden = shown.filter((text) => text === '[hidden]').length;
  expect(shown.slice(issued.length - hidden)).toEqual(Array(hidden).fill('[hidden]'));
  return hidden;
}

test.each([
  [1000, 10, 'x', 1000],
  [33, 16_384, 'x', 4],
  [33, 16_384, '"/', 1],
])('of %i issued secrets of %i characters, the latest are hidden, so that this takes little time', (...given) => {
  const [count, length, rest, hidden] = given;
  expect(hiddenOf(secretsOf(count, length, rest), secrets())).toBe(hidden);
});

test('a secret that is issued again stays known, however many follow', () => {
  const { hide, add } = secrets();
  const [inUse = '', first = '', ...others] = secretsOf(60, 2000);
  for (const secret of [first, ...others]) {
    add(inUse);
    add(secret);
    expect(hide(inUse)).toBe('[hidden]');
  }
  expect(hide(first)).toBe(first);
});

test('the spellings of a secret are computed once, however many texts are searched', () => {
  const encoded = vi.spyOn(globalThis, 'encodeURIComponent');
  const { hide, add } = secrets();
  add('issued/token+1');
  const computed = encoded.mock.calls.length;
  for (let count = 0; count < 100; count += 1) hide(`Bearer issued/token+1 ${count}`);
  add('issued/token+1');
  expect(computed).toBeGreaterThan(0);
  expect(encoded.mock.calls).toHaveLength(computed);
});
