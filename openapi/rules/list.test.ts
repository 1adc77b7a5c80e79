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
    '#/paths/~1things/get/parameters listThings: a list takes `cursor`.',
    '#/paths/~1things/get/parameters listThings: a list takes `expand`.',
    '#/paths/~1things/get/parameters listThings: a list takes `extend`.',
    '#/paths/~1things/get/parameters listThings: a list takes `fields`.',
    '#/paths/~1things/get/parameters listThings: a list takes `modified_after`.',
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
    '#/paths/~1things/get/responses listThings: a list returns a `…Page`.',
    '#/paths/~1things/get/responses listThings: the list of this collection returns `ThingPage`.',
  ]);
  expect(lines.join()).not.toContain('listClients');
});
