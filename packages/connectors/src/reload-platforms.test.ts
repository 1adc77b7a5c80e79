import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { addPlatforms, platformOf, platformsVersion, reloadPlatforms } from './platforms.ts';

const folder = mkdtempSync(join(tmpdir(), 'platforms-'));
afterAll(() => rmSync(folder, { recursive: true }));

const mapping = (name: string) => `entity: Vendor\nstream: supplier\nfields:\n  name: ${name}\n`;
const save = (text: string) => writeFileSync(join(folder, 'edited', 'mappings', 'vendor.yaml'), text);
const nameOf = () => platformOf('edited').mappings.Vendor?.definition.fields.name;
const mine = () => reloadPlatforms().filter(({ id }) => id === 'edited');

test('an edited platform is loaded again as soon as its files can be used', () => {
  const definition = `id: edited
name: Edited
driver: sql
settings: { type: object, required: [url], properties: { url: { type: string, format: uri, writeOnly: true } } }
defaults: { deletes: diff }
streams: { supplier: {} }
`;
  mkdirSync(join(folder, 'edited', 'mappings'), { recursive: true });
  writeFileSync(join(folder, 'edited', 'platform.yaml'), definition);
  save(mapping('name'));
  addPlatforms(folder);
  expect([nameOf(), mine()]).toEqual(['name', []]);

  const before = platformsVersion();
  save(mapping('full_name'));
  expect(nameOf()).toBe('name');
  expect(mine()).toEqual([{ id: 'edited', problems: [] }]);
  expect([nameOf(), platformsVersion() - before]).toEqual(['full_name', 1]);

  save(mapping('{ txt: full_name }'));
  expect(mine()).toMatchObject([{ problems: [{ file: 'edited/mappings/vendor.yaml', field: 'fields.name' }] }]);
  expect([nameOf(), platformsVersion() - before, mine()]).toEqual(['full_name', 1, []]);

  save(mapping('{ text: full_name }'));
  expect(mine()).toEqual([{ id: 'edited', problems: [] }]);
  expect(nameOf()).toEqual({ text: 'full_name' });
});
