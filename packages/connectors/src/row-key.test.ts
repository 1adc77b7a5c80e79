import { expect, test } from 'vitest';
import { isKey, keyOf, keyValues } from './row-key.ts';

test.each([
  [{ a: '17' }, ['a'], '17'],
  [{ a: '4500001001', b: 3 }, ['a', 'b'], '4500001001/3'],
  [{ a: 'x/y', b: '50%' }, ['a', 'b'], 'x%2Fy/50%25'],
  [{ a: '%2F' }, ['a'], '%252F'],
])('the key of %o by %o is %s, and can be parsed back', (row, columns, key) => {
  expect(keyOf(row, columns)).toBe(key);
  expect(keyValues(key, columns)).toEqual(columns.map((column) => String(row[column as keyof typeof row])));
});

test('a key with the wrong number of parts is refused', () => {
  expect(() => keyValues('1/2', ['a'])).toThrow('not a key of 1 parts');
});

test.each([
  ['17', true],
  ['\u{1F600}', true],
  ['k'.repeat(500), true],
  ['k'.repeat(501), false],
  ['a\0b', false],
  ['\ud800x', false],
])('whether PostgreSQL can store the key %j: %s', (key, expected) => {
  expect(isKey(key)).toBe(expected);
});
