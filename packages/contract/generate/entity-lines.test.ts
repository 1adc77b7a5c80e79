import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { load } from 'js-yaml';
import { expect, test } from 'vitest';
import { entityFile, entityFiles } from './entity-files.ts';
import { withEntities } from './entity-lines.ts';

const root = fileURLToPath(new URL('../../../openapi/openapi.yaml', import.meta.url));
const files = await entityFiles(fileURLToPath(new URL('../../../openapi', import.meta.url)));
const document = await readFile(root, 'utf8');

const CALIBRATIONS = `# Calibrations: when assets were measured, and the result.

collection: # /calibrations
  get: { operationId: listCalibrations, tags: [Calibrations] }
batch:
  post: { operationId: createCalibrations, tags: [Calibrations] }
item:
  parameters: []
  get: { operationId: getCalibration, tags: [Calibrations] }
setStatus:
  post: { operationId: setCalibrationStatus, tags: [Calibrations] }
schemas: {}
`;

test('nothing is added while the document lists every entity', () => {
  expect(withEntities(document, files)).toEqual({ text: document, added: [] });
});

test('a new file gets its paths, its tag and a place in the group of its folder', () => {
  const calibrations = entityFile('entities/maintenance/calibrations.yaml', CALIBRATIONS);
  const { text, added } = withEntities(document, [...files, calibrations]);
  expect(added).toEqual([
    '  /calibrations:                            { $ref: entities/maintenance/calibrations.yaml#/collection }',
    '  /calibrations/batch:                      { $ref: entities/maintenance/calibrations.yaml#/batch }',
    '  /calibrations/{id}:                       { $ref: entities/maintenance/calibrations.yaml#/item }',
    '  /calibrations/{id}/actions/set-status:    { $ref: entities/maintenance/calibrations.yaml#/setStatus }',
    expect.stringMatching(/^ {2}- \{ name: Maintenance, tags: \[Assets, .*, Checklist Items, Calibrations\] \}$/),
    "  - { name: Calibrations, description: 'When assets were measured, and the result.' }",
  ]);
  const before = load(document) as { tags: { name: string }[]; paths: object };
  const after = load(text) as typeof before;
  expect(Object.keys(after.paths)).toHaveLength(Object.keys(before.paths).length + 4);
  const names = after.tags.map(({ name }) => name);
  expect(names[names.indexOf('Calibrations') - 1]).toBe('Checklist Items');
});

test('the first file of a folder gets a section and a group after those of the other entities', () => {
  const { text } = withEntities(document, [
    ...files,
    entityFile('entities/quality-control/calibrations.yaml', CALIBRATIONS),
  ]);
  expect(text).toContain('\n\n  # Quality control\n  /calibrations:     ');
  expect(text).toContain('\n  - { name: Quality control, tags: [Calibrations] }\n  - { name: Service, ');
});

test('paths of each entity that follow the conventions are restored as they were', () => {
  const pathsOf = (text: string) => (load(text) as { paths: Record<string, unknown> }).paths;
  const byHand = /#\/(legacy|status )/;
  const without = document.split('\n').filter((line) => !line.includes('$ref: entities/') || byHand.test(line));
  expect(pathsOf(withEntities(without.join('\n'), files).text)).toEqual(pathsOf(document));
});

test.each([
  [
    'does not begin with its tag',
    CALIBRATIONS.replace('# Calibrations:', '# Things:'),
    /begin the file with "# Calibrations: "/,
  ],
  ['has two tags', CALIBRATIONS.replace('[Calibrations]', '[Things]'), /have the same tag; here are 2/],
])('a file that %s is refused', (_, text, message) => {
  expect(() => entityFile('entities/maintenance/calibrations.yaml', text)).toThrow(message);
});
