import { expect, test } from 'vitest';
import { arrayText, toText } from './parameter.ts';

test.each([
  [[], '{}'],
  [['a', null, ''], '{"a",NULL,""}'],
  [['say "hi"', 'back\\slash', '{x,y}'], '{"say \\"hi\\"","back\\\\slash","{x,y}"}'],
  [['n\0ul'], '{"nul"}'],
])('an array of %j is written as PostgreSQL reads it', (values, text) => {
  expect(arrayText(values)).toBe(text);
});

test('plain values are sent as text, and null stays null', () => {
  expect([toText(1.5), toText(true), toText('x'), toText(null)]).toEqual(['1.5', 'true', 'x', null]);
  expect(toText(new Date(0))).toBe('1970-01-01T00:00:00.000Z');
});
