import { expect, test } from 'vitest';
import { withoutTrailingSlashes } from './trailing-slashes.ts';

test.each([
  ['/a/b//', '/a/b'],
  ['//a', '//a'],
  ['/', ''],
  ['', ''],
])('%s without trailing slashes is %s', (text, expected) => {
  expect(withoutTrailingSlashes(text)).toBe(expected);
});

test('many slashes within a text take no time', () => {
  // A regular expression would take minutes, and exceed the time limit of the test.
  const text = `${'/'.repeat(1_000_000)}a`;
  expect(withoutTrailingSlashes(`${text}/`)).toBe(text);
});
