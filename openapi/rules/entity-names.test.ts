import { expect, test } from 'vitest';
import { reported } from './reported.ts';
import { things } from './things.ts';

const PATHS = `
paths:
  /things:
    get: { parameters: [{ name: entity, in: query, schema: { $ref: '#/components/schemas/EntityName' } }], responses: { '200': { $ref: '#/components/responses/ThingPage' } } }
  /parts:
    get: { responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/PartPage' } } } } } }
`;

const reportedOf = (names: string, view = '') =>
  reported(
    'entity-names',
    `${PATHS}${things}
    Part: { ${view || "allOf: [{ $ref: '#/components/schemas/Entity' }]"} }
    PartPage: { type: object, properties: { data: { type: array, items: { $ref: '#/components/schemas/Part' } } } }
    EntityName: { type: string, enum: [${names}] }
`.replace(/(\n {2}responses:[\s\S]*?)(\n {4}Part: [\s\S]*)$/, '$2$1'),
  );

test('all entities of the document, in alphabetical order, are accepted', async () => {
  expect(await reportedOf('Part, Thing')).toEqual([]);
});

test('a missing entity and a name that is none are reported', async () => {
  expect(await reportedOf('Thing, Widget')).toEqual([
    '#/components/schemas/EntityName/enum `Part` is missing. Run `npm run entities`.',
    '#/components/schemas/EntityName/enum `Widget` is not an entity with records.',
  ]);
});

test('a view is not listed', async () => {
  const view = 'x-view: [{ entity: Thing, where: { kind: part } }], type: object';
  expect(await reportedOf('Thing', view)).toEqual([]);
  expect(await reportedOf('Part, Thing', view)).toEqual([
    '#/components/schemas/EntityName/enum `Part` is not an entity with records.',
  ]);
});

test('another order and a repeated name are reported', async () => {
  const problem = '#/components/schemas/EntityName/enum names must be listed once, in alphabetical order.';
  expect(await reportedOf('Thing, Part')).toEqual([problem]);
  expect(await reportedOf('Part, Thing, Thing')).toEqual([problem]);
});
