import { expect, test } from 'vitest';
import { reported } from './reported.ts';

test('errors are the shared response', async () => {
  const root = `
tags: [{ name: OAuth, x-surface: oauth }]
paths:
  /a: { get: { operationId: getA, responses: { default: { $ref: shared/responses.yaml#/Error } } } }
  /b: { get: { operationId: getB, responses: { default: { $ref: shared/responses.yaml#/OAuthFailure }, '404': { description: Own. } } } }
  /c: { get: { operationId: getC, tags: [OAuth], responses: { default: { $ref: shared/responses.yaml#/OAuthFailure } } } }
  /d: { get: { operationId: getD, responses: {} } }
`;
  const shared = 'Error: { description: x }\nOAuthFailure: { description: x }\n';
  expect(await reported('errors', root, { 'shared/responses.yaml': shared })).toEqual([
    '#/paths/~1b/get/responses getB: `default` must be the shared `Error`.',
    '#/paths/~1b/get/responses getB: 404 must be described by a shared response.',
    '#/paths/~1d/get/responses getD: `default` must be the shared `Error`.',
  ]);
});
