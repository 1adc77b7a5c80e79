import { expect, test } from 'vitest';
import { reported } from './reported.ts';
import { things } from './things.ts';

const paths = `
paths:
  /things:
    get: { operationId: listThings, responses: { '200': { $ref: '#/components/responses/ThingPage' } } }
    post: { operationId: createThing, requestBody: { $ref: '#/components/requestBodies/ThingInput' } }
  /things/{id}:
    patch: { operationId: updateThing, requestBody: { $ref: '#/components/requestBodies/ThingPatch' } }
`;

test('correct bodies pass', async () => {
  expect(await reported('writable', paths + things)).toEqual([]);
});

test('a body is closed, writable, known, and the same for create and update', async () => {
  const other = `
    ThingInput:
      type: object
      properties:
        id: { type: string, readOnly: true }
        colour: { type: string }
`;
  const changed = things.replace(/ +ThingInput: \{ allOf.*\n/, other);
  expect(await reported('writable', paths + changed)).toEqual([
    '#/paths/~1things/post/requestBody createThing: the body must have `unevaluatedProperties: false`.',
    '#/paths/~1things/post/requestBody createThing: `id` is read-only and cannot be sent.',
    '#/paths/~1things/post/requestBody createThing: Thing has no `colour`.',
    '#/paths/~1things~1{id}/patch/requestBody updateThing: all bodies of Thing must have the same properties; these differ: colour, id, name.',
  ]);
});
