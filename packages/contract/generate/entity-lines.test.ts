import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { load } from 'js-yaml';
import { expect, test } from 'vitest';
import { entityFile, entityFiles } from './entity-files.ts';
import { withEntities } from './entity-lines.ts';

const root = fileURLToPath(new URL('../../../openapi/openapi.yaml', import.meta.url));
const files = await entityFiles(fileURLToPath(new URL('../../../openapi', import.meta.url)));
const document = await readFile(root, 'utf8');

const SMALL = `
tags:
  - { name: Alarms, description: Signals of assets that need attention. }
  - { name: Checklists, description: 'Lists of points to check, as templates and as filled in.' }
  - { name: System, x-surface: system, description: The server itself. }
x-tagGroups:
  - { name: Maintenance, tags: [Alarms, Checklists] }
  - { name: Service, tags: [System] }
paths:
  # Maintenance
  /alarms:                                  { $ref: entities/maintenance/alarms.yaml#/collection }
  /checklists:                              { $ref: entities/maintenance/checklists.yaml#/collection }

  # Service
  /system/health:                           { $ref: system/health.yaml#/item }
`;

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

const alarms = entityFile(
  'entities/maintenance/alarms.yaml',
  '# Alarms: signals of assets that need attention.\ncollection: { get: { tags: [Alarms] } }',
);

test('nothing is added while the document lists every entity', () => {
  expect(withEntities(document, files)).toEqual({ text: document, added: [] });
});

test('a new file gets its paths, its tag and a place in the group of its folder', () => {
  const calibrations = entityFile('entities/maintenance/calibrations.yaml', CALIBRATIONS);
  const { text, added } = withEntities(SMALL, [alarms, calibrations]);
  const paths = [
    '  /calibrations:                            { $ref: entities/maintenance/calibrations.yaml#/collection }',
    '  /calibrations/batch:                      { $ref: entities/maintenance/calibrations.yaml#/batch }',
    '  /calibrations/{id}:                       { $ref: entities/maintenance/calibrations.yaml#/item }',
    '  /calibrations/{id}/actions/set-status:    { $ref: entities/maintenance/calibrations.yaml#/setStatus }',
  ];
  const group = '  - { name: Maintenance, tags: [Alarms, Checklists, Calibrations] }';
  const tag = "  - { name: Calibrations, description: 'When assets were measured, and the result.' }";
  expect(added).toEqual([...paths, group, tag]);
  const lines = SMALL.replace('  - { name: Maintenance, tags: [Alarms, Checklists] }', group).split('\n');
  const after = (name: string) => lines.findIndex((line) => line.includes(name)) + 1;
  lines.splice(after('/checklists:'), 0, ...paths);
  lines.splice(after('name: Checklists'), 0, tag);
  expect(text).toBe(lines.join('\n'));
});

test('a new action of a listed file gets its path', () => {
  const more = entityFile(
    'entities/maintenance/alarms.yaml',
    '# Alarms: signals.\ncollection: { get: { tags: [Alarms] } }\nclose: { post: { tags: [Alarms] } }',
  );
  const line = '  /alarms/{id}/actions/close:               { $ref: entities/maintenance/alarms.yaml#/close }';
  expect(withEntities(SMALL, [more])).toEqual({
    text: SMALL.replace('alarms.yaml#/collection }', `alarms.yaml#/collection }\n${line}`),
    added: [line],
  });
});

test('the first file of a folder gets a section and a group after those of the other entities', () => {
  const { text } = withEntities(SMALL, [
    alarms,
    entityFile('entities/quality-control/calibrations.yaml', CALIBRATIONS),
  ]);
  expect(text).toContain('checklists.yaml#/collection }\n\n  # Quality control\n  /calibrations:     ');
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
  ['has two tags', CALIBRATIONS.replace('[Calibrations]', '[Things]'), /have the same tag; found 2/],
])('a file that %s is refused', (_, text, message) => {
  expect(() => entityFile('entities/maintenance/calibrations.yaml', text)).toThrow(message);
});
