import { expect, test } from 'vitest';
import { reported } from './reported.ts';
import { things } from './things.ts';

test('a list of an entity takes all parameters of a list', async () => {
  const root = `
paths:
  /things:
    get:
      operationId: listThings
      parameters: [{ name: page, in: query }, { name: per_page, in: query }, { name: sort, in: query }, { name: filter, in: query }, { name: with_total, in: query }]
      responses: { '200': { $ref: '#/components/responses/ThingPage' } }
${things}`;
  expect(await reported('list', root)).toEqual([
    '#/paths/~1things/get/parameters listThings: a list must accept `cursor`.',
    '#/paths/~1things/get/parameters listThings: a list must accept `expand`.',
    '#/paths/~1things/get/parameters listThings: a list must accept `extend`.',
    '#/paths/~1things/get/parameters listThings: a list must accept `fields`.',
    '#/paths/~1things/get/parameters listThings: a list must accept `modified_after`.',
  ]);
});

test('a list returns a page; other surfaces are not checked', async () => {
  const root = `
tags: [{ name: Admin, x-surface: management }]
paths:
  /things:
    get: { operationId: listThings, responses: { '200': { $ref: '#/components/responses/ThingResponse' } } }
  /clients:
    get: { operationId: listClients, tags: [Admin], responses: { '200': { $ref: '#/components/responses/ThingResponse' } } }
${things}`;
  const lines = await reported('list', root);
  expect(lines.slice(0, 2)).toEqual([
    '#/paths/~1things/get/responses listThings: a list must return a `…Page`.',
    '#/paths/~1things/get/responses listThings: the list of this collection must return `ThingPage`.',
  ]);
  expect(lines.join()).not.toContain('listClients');
});
