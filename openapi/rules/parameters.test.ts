import { expect, test } from 'vitest';
import { reported } from './reported.ts';

test('a parameter has one type', async () => {
  const root = `
paths:
  /things:
    get:
      operationId: listThings
      parameters:
        - { name: plain, in: query, schema: { type: string, pattern: '^a$' } }
        - { name: after, in: query, schema: { type: string, anyOf: [{ format: date }, { format: date-time }] } }
        - { name: shared, in: query, schema: { $ref: '#/components/schemas/Either' } }
      responses: { default: {} }
components:
  schemas:
    Either: { oneOf: [{ type: string }, { type: integer }] }
`;
  expect(await reported('parameters', root)).toEqual([
    '#/paths/~1things/get/parameters/1/schema `after` has `anyOf`: describe it by one type.',
    '#/paths/~1things/get/parameters/2/schema `shared` has `oneOf`: describe it by one type.',
  ]);
});
