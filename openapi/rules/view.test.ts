import { expect, test } from 'vitest';
import { reported } from './reported.ts';
import { things } from './things.ts';

const root = (view: string) => `
paths:
  /things: { get: { operationId: listThings, responses: { '200': { $ref: '#/components/responses/ThingPage' } } } }
  /open-things: { get: { operationId: listOpenThings, responses: { '200': { content: { application/json: { schema: { $ref: '#/components/schemas/OpenThingPage' } } } } } } }
${things.replace('  responses:\n', `    OpenThing: { x-view: ${view}, allOf: [{ $ref: '#/components/schemas/Thing' }] }\n    OpenThingPage: { properties: { data: { type: array, items: { $ref: '#/components/schemas/OpenThing' } } } }\n  responses:\n`)}`;

const at = '#/components/schemas/OpenThing/x-view OpenThing:';
const form = `${at} \`x-view\` must be a list of \`{ entity: <Entity>, where: { <field>: <value> } }\`.`;

test.each([
  ['[{ entity: Thing, where: { statusCategory: open } }]', []],
  [
    '[{ entity: Thing, where: { isOpen: true } }, { entity: Stuff, where: { isOpen: false } }]',
    [`${at} \`Stuff\` is not an entity.`],
  ],
  ['[{ entity: OpenThing, where: { statusCategory: open } }]', [`${at} \`OpenThing\` is itself a view.`]],
  ['[]', [form]],
  ['{ entity: Thing, where: { statusCategory: open } }', [form]],
  ['[{ entity: Thing, where: {} }]', [form]],
  ['[{ entity: Thing, where: { priority: 1 } }]', [form]],
  ['[{ entity: Thing, where: { isOpen: true }, as: Open }]', [form]],
])('%s', async (view, problems) => {
  expect(await reported('view', root(view))).toEqual(problems);
});
