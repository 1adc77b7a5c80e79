import { expect, test } from 'vitest';
import { reported } from './reported.ts';

test('successful responses of limited surfaces have the headers of the limit', async () => {
  const root = `
tags: [{ name: System, x-surface: system }, { name: OAuth, x-surface: oauth }]
paths:
  /a:
    get:
      operationId: getA
      responses:
        '200': { headers: { X-RateLimit-Limit: {}, X-RateLimit-Remaining: {}, X-RateLimit-Reset: {} } }
        '202': { headers: { X-RateLimit-Limit: {} } }
        default: {}
  /b: { get: { operationId: getB, tags: [OAuth], responses: { '200': {} } } }
  /health: { get: { operationId: getHealth, tags: [System], responses: { '200': {} } } }
`;
  expect(await reported('limits', root)).toEqual([
    '#/paths/~1a/get/responses getA: 202 must have the header `X-RateLimit-Remaining`.',
    '#/paths/~1a/get/responses getA: 202 must have the header `X-RateLimit-Reset`.',
    '#/paths/~1health/get/responses getHealth: 200 must have the header `X-RateLimit-Limit`.',
    '#/paths/~1health/get/responses getHealth: 200 must have the header `X-RateLimit-Remaining`.',
    '#/paths/~1health/get/responses getHealth: 200 must have the header `X-RateLimit-Reset`.',
  ]);
});
