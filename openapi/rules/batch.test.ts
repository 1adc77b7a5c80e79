import { expect, test } from 'vitest';
import { reported } from './reported.ts';

const answer = `{ description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/ThingBatchResponse' } } } }`;

test('a batch accepts items and returns the outcome of each', async () => {
  const root = `
paths:
  /things/batch:
    post:
      operationId: createThings
      parameters: [{ name: Idempotency-Key, in: header }, { name: Prefer, in: header }]
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/ThingBatch' } } } }
      responses: { '200': ${answer}, '202': ${answer} }
  /others/batch:
    post:
      operationId: createOthers
      parameters: [{ name: Prefer, in: header }]
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Thing' } } } }
      responses: { '200': ${answer} }
components:
  schemas: { Thing: { type: object }, ThingBatch: { type: object }, ThingBatchResponse: { type: object } }
`;
  expect(await reported('batch', root)).toEqual([
    '#/paths/~1others~1batch/post/requestBody createOthers: the body of a batch must be `…Batch`.',
    '#/paths/~1others~1batch/post/responses createOthers: a batch must return 200 with `…BatchResponse`.',
    '#/paths/~1others~1batch/post/responses createOthers: a batch must return 202 with `…BatchResponse`.',
    '#/paths/~1others~1batch/post/parameters createOthers: a batch must accept `Idempotency-Key`.',
  ]);
});
