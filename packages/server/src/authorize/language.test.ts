import { platformIds, platformOf } from '@unified/connectors';
import { clientDocument } from '@unified/contract';
import { settingFields } from '@unified/engine';
import { expect, test } from 'vitest';
import { platformTexts } from './catalog/platforms.de.ts';
import { recordNames } from './catalog/records.de.ts';
import { settingTexts } from './catalog/settings.de.ts';
import { platformIn, preferredLanguage } from './language.ts';

test.each([
  [undefined, 'en'],
  ['de', 'de'],
  ['DE-at, en;q=0.9', 'de'],
  ['fr, de;q=0.2, en;q=0.8', 'en'],
  ['de;q=0, en', 'en'],
  ['*', 'en'],
  [';;;,,,q=x', 'en'],
])('a browser that prefers %s gets %s', (header, language) => {
  expect(preferredLanguage({ headers: { 'accept-language': header } })).toBe(language);
});

test('a platform is described in German, or in English if there is no German text', () => {
  const tryton = { id: 'tryton', name: 'Tryton', description: 'Tryton 6.0 to 8.2' };
  expect(platformIn('de', tryton)).toEqual({
    ...tryton,
    description: expect.stringContaining('installierten Modulen'),
  });
  expect(platformIn('en', tryton)).toEqual(tryton);
  const other = { id: 'of-the-operator', description: 'Our own system' };
  expect(platformIn('de', other)).toEqual(other);
});

test.each(platformIds())('%s is described in German, and so are the settings that end users enter', (id) => {
  expect(platformTexts[id]).toBeDefined();
  const fields = settingFields(platformOf(id)).map(({ name }) => name);
  expect(fields.filter((name) => !settingTexts[id]?.[name])).toEqual([]);
});

test('a platform that is not a product has a German name', () => {
  expect(platformIn('de', platformOf('database')).name).toBe('Datenbank');
});

test('every kind of record has a German name', () => {
  const groups = clientDocument()['x-tagGroups'] as { name: string; tags: string[] }[];
  const others = ['Service', 'Access', 'Management', 'Operators', 'MCP'];
  const tags = groups.filter(({ name }) => !others.includes(name)).flatMap(({ name, tags: of }) => [name, ...of]);
  expect(tags.filter((tag) => !recordNames[tag])).toEqual([]);
});
