import { expect, test } from 'vitest';
import { reported } from './reported.ts';
import { things } from './things.ts';

test('operations on records are named after their paths', async () => {
  const root = `
paths:
  /things:
    get: { operationId: getThings, responses: { '200': { $ref: '#/components/responses/ThingPage' } } }
    post: { operationId: createThing }
  /things/{id}:
    put: { operationId: updateThing }
    delete: { operationId: DeleteThing }
  /things/{id}/actions/set-status:
    post: { operationId: setThingStatus }
${things}`;
  expect(await reported('names', root)).toEqual([
    '#/paths/~1things/get/operationId getThings: the name for this path must be `listThings`.',
    '#/paths/~1things~1{id}/put/operationId updateThing: the name for this path must be `replaceThing`.',
    '#/paths/~1things~1{id}/delete/operationId DeleteThing: an `operationId` must be camelCase.',
    '#/paths/~1things~1{id}/delete/operationId DeleteThing: the name for this path must be `deleteThing`.',
  ]);
});

test('paths of the data surface are plural and kebab-case', async () => {
  const root = `
paths:
  /thing:
    get: { operationId: listThing, responses: { '200': { $ref: '#/components/responses/ThingPage' } } }
  /sync_status:
    get: {}
${things}`;
  expect(await reported('names', root)).toEqual([
    '#/paths/~1thing/get listThing: `thing` is not plural.',
    '#/paths/~1sync_status/get get /sync_status: an operation must have an `operationId`.',
    '#/paths/~1sync_status/get get /sync_status: `sync_status` is not kebab-case.',
  ]);
});
