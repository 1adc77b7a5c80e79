import { clientDocument } from '@unified/contract';
import { expect, test } from 'vitest';
import type { ReferenceDocument } from '../src/reference/reference-document.ts';
import { groupsOf, siteMap } from './site-map.ts';
import { synonymsOf, unusedWords } from './synonyms.ts';

test.each([
  { title: 'Vendors', word: 'supplier' },
  { title: 'Create a vendor', word: 'supplier' },
  { title: 'Lists and paging', word: 'pagination' },
  { title: 'Authentication', word: 'api key' },
])('"$title" is found by "$word"', ({ title, word }) => {
  expect(synonymsOf(title)).toContain(word);
});

test('a word within another one has no synonyms', () => {
  expect(synonymsOf('Opportunity')).toBe('');
});

test('every word with synonyms is in a title of the reference', () => {
  const site = siteMap(clientDocument() as unknown as ReferenceDocument);
  const titles = [...site.guides.map(({ menuTitle }) => menuTitle), ...groupsOf(site).map(({ name }) => name)];
  expect(unusedWords(titles)).toEqual([]);
});
