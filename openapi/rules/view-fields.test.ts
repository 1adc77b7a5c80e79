import { expect, test } from 'vitest';
import { reported } from './reported.ts';
import { things } from './things.ts';

const page = (name: string) =>
  `    ${name}Page: { properties: { data: { type: array, items: { $ref: '#/components/schemas/${name}' } } } }\n`;
const path = (at: string, name: string) =>
  `  /${at}: { get: { operationId: list${name}s, responses: { '200': { content: { application/json: { schema: { $ref: '#/components/schemas/${name}Page' } } } } } } }\n`;

/** Views of the open and of the closed things, each with these properties. */
const root = (open: string, closed: string) => `
paths:
  /things: { get: { operationId: listThings, responses: { '200': { $ref: '#/components/responses/ThingPage' } } } }
${path('open-things', 'OpenThing')}${path('closed-things', 'ClosedThing')}
${things.replace(
  '  responses:\n',
  `    OpenThing: { x-view: [{ entity: Thing, where: { statusCategory: open } }], ${open} }
    ClosedThing: { x-view: [{ entity: Thing, where: { statusCategory: closed } }], ${closed} }
${page('OpenThing')}${page('ClosedThing')}  responses:\n`,
)}`;

const fields = (...names: string[]) =>
  `properties: { ${['id', ...names].map((name) => `${name}: { type: string }`).join(', ')} }`;

test.each([
  ['other fields for each', fields('name'), fields('statusCategory'), []],
  [
    'the same fields in another order',
    fields('name', 'statusCategory'),
    fields('statusCategory', 'name'),
    [
      '#/components/schemas/OpenThing OpenThing: has every field of `Thing`; list those that its records use.',
      '#/components/schemas/ClosedThing ClosedThing: has the same fields as `OpenThing`; list those that its records use.',
    ],
  ],
  [
    'the schema of the entity',
    "allOf: [{ $ref: '#/components/schemas/Thing' }]",
    fields('name'),
    ['#/components/schemas/OpenThing OpenThing: has every field of `Thing`; list those that its records use.'],
  ],
])('%s', async (_, open, closed, problems) => {
  expect(await reported('view-fields', root(open, closed))).toEqual(problems);
});
