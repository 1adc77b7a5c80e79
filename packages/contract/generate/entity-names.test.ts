import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { entities } from '../src/index.ts';
import { entityFile, entityFiles } from './entity-files.ts';
import { withEntityNames } from './entity-names.ts';

const openapi = fileURLToPath(new URL('../../../openapi', import.meta.url));

const SCHEMAS = `Entity:
  type: object
EntityName:
  type: string
  description: Kind of a record.
  enum:
    - Asset
    - Tool
Relation:
  type: object
`;

const file = (name: string, view = '') =>
  entityFile(
    `entities/maintenance/${name.toLowerCase()}s.yaml`,
    `# ${name}s: a text.\ncollection: { get: { tags: [${name}s] } }\nschemas: { ${name}: { ${view} }, ${name}Fields: {} }\n`,
  );

test('the names of the entities of all files become the values; one without a file is removed', () => {
  const { text, changed } = withEntityNames(SCHEMAS, [file('Meter'), file('Asset')]);
  expect(changed).toEqual(['+ EntityName: Meter', '- EntityName: Tool']);
  expect(text).toBe(SCHEMAS.replace('    - Tool\n', '    - Meter\n'));
});

test('a view has no records, so it is not among the values', () => {
  const all = [file('Asset'), file('Pump', 'x-view: [{ entity: Asset, where: { kind: pump } }]'), file('Tool')];
  expect(withEntityNames(SCHEMAS, all)).toEqual({ text: SCHEMAS, changed: [] });
});

test('nothing changes while the document lists every entity', async () => {
  const text = await readFile(`${openapi}/shared/schemas.yaml`, 'utf8');
  expect(withEntityNames(text, await entityFiles(openapi))).toEqual({ text, changed: [] });
});

test('the names in the files are those of the entities that the generator derives', async () => {
  const names = (await entityFiles(openapi)).flatMap(({ entity }) => entity ?? []);
  const stored = Object.values(entities).filter(({ view }) => !view);
  expect(names.toSorted()).toEqual(stored.map(({ name }) => name).toSorted());
});

test('a text without the values in their form is refused', () => {
  expect(() => withEntityNames('EntityName: { enum: [Asset] }\n', [])).toThrow('one value per line');
});
