import { expect, test } from 'vitest';
import { reported } from './reported.ts';
import { things } from './things.ts';

test('all operations of a collection use one entity', async () => {
  const root = `
paths:
  /things:
    get: { operationId: listThings, responses: { '200': { $ref: '#/components/responses/ThingPage' } } }
    post:
      operationId: createThing
      requestBody: { $ref: '#/components/requestBodies/ThingPatch' }
      responses: { '201': { $ref: '#/components/responses/ThingResponse' }, '202': { $ref: '#/components/responses/WriteRecord' } }
  /things/{id}:
    get: { operationId: getThing, responses: { '200': { $ref: '#/components/responses/ThingPage' } } }
    patch:
      operationId: updateThing
      requestBody: { $ref: '#/components/requestBodies/ThingPatch' }
      responses: { '200': { $ref: '#/components/responses/ThingResponse' } }
${things}`;
  expect(await reported('entity', root)).toEqual([
    '#/paths/~1things/post/requestBody createThing: the body must be `ThingInput`.',
    '#/paths/~1things~1{id}/get/responses getThing: 200 must return `ThingResponse`.',
    '#/paths/~1things~1{id}/patch/responses updateThing: a write that is not finished in time must return 202 with `WriteRecord`.',
  ]);
});
