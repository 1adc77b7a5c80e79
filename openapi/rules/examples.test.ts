import { expect, test } from 'vitest';
import { reported } from './reported.ts';

test('every body has an example', async () => {
  const root = `
paths:
  /a: { post: { operationId: createA, requestBody: { content: { application/json: { example: { name: x } } } } } }
  /b: { post: { operationId: createB, requestBody: { content: { application/json: { schema: { type: object } } } } } }
  /c: { post: { operationId: createC } }
`;
  expect(await reported('examples', root)).toEqual([
    '#/paths/~1b/post/requestBody createB: the body has no example (application/json).',
  ]);
});
