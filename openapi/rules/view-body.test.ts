import { expect, test } from 'vitest';
import { reported } from './reported.ts';
import { things } from './things.ts';

const root = (value: string) => `
paths:
  /open-things:
    post:
      operationId: createOpenThing
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/OpenThingInput' } } } }
      responses: { '201': { content: { application/json: { schema: { $ref: '#/components/schemas/OpenThingResponse' } } } } }
${things.replace(
  '  responses:\n',
  `    OpenThing: { x-view: [{ entity: Thing, where: { kind: open } }], allOf: [{ $ref: '#/components/schemas/Thing' }] }
    OpenThingResponse: { type: object, properties: { data: { $ref: '#/components/schemas/OpenThing' } } }
    OpenThingInput: { allOf: [{ $ref: '#/components/schemas/ThingPatch' }, { properties: { kind: { type: string, enum: ${value} } } }] }
  responses:\n`,
)}`;

test.each([
  ['[open]', []],
  [
    '[open, closed]',
    ['#/paths/~1open-things/post/requestBody createOpenThing: `kind` of the body must allow only the value `open`.'],
  ],
])('a body for a view whose records are open takes the values %s', async (value, problems) => {
  expect(await reported('view-body', root(value))).toEqual(problems);
});
