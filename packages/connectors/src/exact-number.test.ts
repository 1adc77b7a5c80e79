import { expect, test } from 'vitest';
import { isExact, parseExactJson } from './exact-number.ts';

test.each([
  ['9007199254740991', true],
  ['9007199254740993', false],
  ['-9007199254740993', false],
  ['9007199254740992', true],
  ['1e300', true],
  ['100000000000000000000', true],
  ['1152921504606846976', false],
  ['9007199254740992.5', false],
  ['123456789.123456789123', true],
  ['0.3333333333333333333333', true],
  ['+0012345678901234567e0', false],
  [`1${'0'.repeat(300)}.${'0'.repeat(1_000)}`, false],
])('%s is exact: %s', (text, expected) => {
  expect(isExact(text, Number(text))).toBe(expected);
});

test('JSON keeps the digits of numbers that JavaScript would round', () => {
  const text = '{"big":9007199254740993,"list":[9007199254740993.5,1],"text":"9007199254740993","small":1.5e3}';
  expect(parseExactJson(text)).toEqual({
    big: '9007199254740993',
    list: ['9007199254740993.5', 1],
    text: '9007199254740993',
    small: 1500,
  });
});

test('an object of JSON may have any name', () => {
  expect(Object.keys(parseExactJson('{"__proto__":9007199254740993}') as object)).toEqual(['__proto__']);
});

test('numbers beyond the range of JavaScript stay texts, and deep JSON is read', () => {
  expect(parseExactJson('[1e400,-1E+309,1e300,1e0002]')).toEqual(['1e400', '-1E+309', 1e300, 100]);
  const depth = 50_000;
  let value = parseExactJson(`${'['.repeat(depth)}9007199254740993${']'.repeat(depth)}`);
  while (Array.isArray(value)) value = value[0];
  expect(value).toBe('9007199254740993');
});

test('digits in strings and in names stay unchanged', () => {
  const text = String.raw`{"\"900719925474099312\\":["\\",9007199254740993,"9007199254740993"],"9007199254740993" : 1}`;
  expect(parseExactJson(text)).toEqual({
    '"900719925474099312\\': ['\\', '9007199254740993', '9007199254740993'],
    '9007199254740993': 1,
  });
});

test.each([
  '{9007199254740993:1}',
  '{9007199254740993 \n: 1}',
  String.raw`"a\9007199254740993`,
  '"a 9007199254740993',
  '["a 9007199254740993, "b"]',
  '[09007199254740993]',
  '[9007199254740993.]',
  '[+9007199254740993]',
  '[--9007199254740993]',
  '[9007199254740993e]',
  '[1 9007199254740993]',
  'a9007199254740993',
  '',
])('text with long numbers that is not JSON is refused: %s', (text) => {
  expect(() => parseExactJson(text)).toThrow(SyntaxError);
});
