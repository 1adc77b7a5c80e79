import { expect, test } from 'vitest';
import { parseReceived } from './received-json.ts';

const nested = (levels: number, inner = '') => `${'['.repeat(levels)}${inner}${']'.repeat(levels)}`;

test.each([
  ['500 levels', nested(500)],
  ['brackets in a text', JSON.stringify({ text: `"${'['.repeat(600)}\\\\`, next: '{'.repeat(600) })],
  ['many lists after each other', `[${Array(600).fill('[]').join()}]`],
])('JSON with %s is parsed', (_, text) => {
  expect(parseReceived(text)).toEqual(JSON.parse(text));
});

test.each([
  ['lists', nested(501)],
  ['objects', `${'{"a":'.repeat(501)}1${'}'.repeat(501)}`],
  ['lists after a text with a quote', `["\\\\\\"",${nested(500)}]`],
])('JSON with 501 levels of %s is refused', (_, text) => {
  expect(() => parseReceived(text)).toThrow(SyntaxError);
});
