import { expect, test } from 'vitest';
import { arrayText, jsonArray, toSent } from './parameter.ts';

test.each([
  [[], '{}'],
  [['a', null, ''], '{"a",NULL,""}'],
  [['say "hi"', 'back\\slash', '{x,y}'], '{"say \\"hi\\"","back\\\\slash","{x,y}"}'],
  [['n\0ul'], '{"nul"}'],
])('an array of %j is written as PostgreSQL reads it', (values, text) => {
  expect(arrayText(values)).toBe(text);
});

test('plain values are sent as text, and null stays null', () => {
  expect([toSent(1.5), toSent(true), toSent('x'), toSent(null)]).toEqual(['1.5', 'true', 'x', null]);
  expect(toSent(new Date(0))).toBe('1970-01-01T00:00:00.000Z');
});

test('bytes are sent as they are, and an array of JSON has its header and the length of each text in bytes', () => {
  const bytes = jsonArray(['{}', '"ł"']);
  expect(toSent(bytes)).toBe(bytes);
  const numbers = [1, 0, 114, 2, 1, 2].map((number) => number.toString(16).padStart(8, '0')).join('');
  expect(bytes.toString('hex')).toBe(`${numbers}7b7d00000004${Buffer.from('"ł"').toString('hex')}`);
});
