import { expect, it } from 'vitest';
import { enteredWord, wordText } from './word-text.ts';

it.each([
  ['zahlbed', 'zahlbed'],
  [{ text: 'tel' }, '{ text: tel }'],
  [{ coalesce: ['zahlbed', { const: '' }] }, "{ coalesce: [ zahlbed, { const: '' } ] }"],
  [{ boolean: { from: 'kz', true: ['N'], false: ['J'] } }, "{ boolean: { from: kz, 'true': [ N ], 'false': [ J ] } }"],
])('%j is written as %s, and read again', (word, text) => {
  expect(wordText(word)).toBe(text);
  expect(enteredWord(text)).toEqual({ word });
});

it('a field without a word is empty', () => {
  expect(wordText(null)).toBe('');
  expect(enteredWord('')).toEqual({ word: null });
});

it('JSON can be entered as well', () => {
  expect(enteredWord('{"text": "tel"}')).toEqual({ word: { text: 'tel' } });
});

it('a text that is not YAML has a problem in one line', () => {
  expect(enteredWord('{ text: tel')).toEqual({ problem: expect.stringMatching(/^[^\n]+$/) });
});
