import { expect, it } from 'vitest';
import { german } from './de/german.ts';
import { english } from './en/english.ts';
import { preferredLanguage } from './languages.ts';

/** The texts of a catalogue by path; functions are called with the number 2 for each parameter. */
function textsIn(catalogue: object, path = ''): [string, string][] {
  return Object.entries(catalogue).flatMap(([key, value]: [string, unknown]) => {
    const name = path === '' ? key : `${path}.${key}`;
    if (typeof value === 'function') return [[name, String(value(2, 2))]];
    return typeof value === 'string' ? [[name, value]] : textsIn(value as object, name);
  });
}

const inEnglish = new Map(textsIn(english));
const inGerman = new Map(textsIn(german));

it('both languages have the same texts', () => {
  expect(inEnglish.size).toBeGreaterThan(100);
  expect([...inGerman.keys()]).toEqual([...inEnglish.keys()]);
});

it('a text is empty in both languages or in none', () => {
  const emptyIn = (texts: Map<string, string>) =>
    [...texts].filter(([, text]) => text.trim() === '').map(([name]) => name);
  expect(emptyIn(inGerman)).toEqual(emptyIn(inEnglish));
});

it('long texts are translated', () => {
  const copied = [...inEnglish].filter(([name, text]) => text.length > 30 && inGerman.get(name) === text);
  expect(copied).toEqual([]);
});

it.each([
  [['de-AT', 'en'], 'de'],
  [['fr', 'de'], 'de'],
  [['fr'], 'en'],
  [[], 'en'],
])('of %j, it chooses %s', (preferred, chosen) => {
  expect(preferredLanguage(preferred)).toBe(chosen);
});
