import { expect, test } from 'vitest';
import { reported } from './reported.ts';

test('required properties are declared by the schema or a part of it', async () => {
  const root = `
paths:
  /a: { get: { responses: { '200': { content: { application/json: { schema: { $ref: '#/components/schemas/A' } } } } } } }
components:
  schemas:
    A:
      allOf: [{ type: object, properties: { one: { type: string } } }, { type: object, required: [one, two] }]
      required: [one, three]
      then: { required: [four] }
`;
  expect(await reported('required', root)).toEqual([
    '#/components/schemas/A `two` is required but not declared.',
    '#/components/schemas/A `three` is required but not declared.',
  ]);
});
