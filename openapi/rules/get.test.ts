import { expect, test } from 'vitest';
import { reported } from './reported.ts';
import { things } from './things.ts';

test('a get of a record accepts all parameters of a get; other gets are not checked', async () => {
  const root = `
paths:
  /things/{id}:
    get:
      operationId: getThing
      parameters: [{ name: expand, in: query }]
      responses: { '200': { $ref: '#/components/responses/ThingResponse' } }
  /writes/{id}:
    get: { operationId: getWrite, responses: { '200': { $ref: '#/components/responses/WriteRecord' } } }
${things}`;
  expect(await reported('get', root)).toEqual([
    '#/paths/~1things~1{id}/get/parameters getThing: a get must accept `extend`.',
    '#/paths/~1things~1{id}/get/parameters getThing: a get must accept `fields`.',
  ]);
});

test('a get has no headers of writes', async () => {
  const root = `
paths:
  /things:
    get: { operationId: listThings, responses: { '200': { $ref: '#/components/responses/ThingPage' } } }
${things.replace('ThingPage: { description: ok,', 'ThingPage: { description: ok, headers: { Write-Id: { schema: { type: string } } },')}`;
  expect(await reported('get', root)).toEqual([
    '#/paths/~1things/get/responses listThings: 200 of a get must not have the header `Write-Id`, which belongs to writes.',
  ]);
});
