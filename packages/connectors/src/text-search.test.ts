import { expect, test } from 'vitest';
import { type Part, TextSearch } from './text-search.ts';

/** All occurrences, one text after the other; those that overlap are joined. */
function searched(text: string, texts: readonly string[]): Part[] {
  const isFound = Array<boolean>(text.length).fill(false);
  const isJoined = Array<boolean>(text.length).fill(false);
  for (const each of texts) {
    for (let at = text.indexOf(each); at !== -1; at = text.indexOf(each, at + 1)) {
      isFound.fill(true, at, at + each.length);
      isJoined.fill(true, at + 1, at + each.length);
    }
  }
  const parts: Part[] = [];
  for (let at = 0; at < text.length; at += 1) {
    if (!isFound[at]) continue;
    const last = isJoined[at] ? parts.pop() : undefined;
    parts.push({ start: last?.start ?? at, end: at + 1 });
  }
  return parts;
}

/** The same numbers in each run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

test('texts are found wherever they are, however they overlap', () => {
  const next = numbers(7);
  const word = (length: number) => Array.from({ length }, () => 'abé'.charAt(next(3))).join('');
  for (let round = 0; round < 3_000; round += 1) {
    const texts = Array.from({ length: 1 + next(5) }, () => word(1 + next(5)));
    const text = word(next(25));
    expect({ text, texts, parts: new TextSearch(texts, 6).partsOf(text) }).toEqual({
      ...{ text, texts },
      parts: searched(text, texts),
    });
  }
});

test('without texts, nothing is found', () => {
  expect(new TextSearch([], 6).partsOf('any text…')).toEqual([]);
});
