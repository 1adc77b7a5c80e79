import { expect, test } from 'vitest';
import { reported } from './reported.ts';
import { things } from './things.ts';

test('a get of a record takes all parameters of a get; what is no record is free', async () => {
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
    '#/paths/~1things~1{id}/get/parameters getThing: a get takes `extend`.',
    '#/paths/~1things~1{id}/get/parameters getThing: a get takes `fields`.',
  ]);
});
