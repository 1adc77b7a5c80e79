import { expect, test } from 'vitest';
import { reported } from './reported.ts';

test('schemas of operations have names', async () => {
  const root = `
paths:
  /a:
    post:
      operationId: createA
      parameters: [{ name: filter, in: query, schema: { type: object, properties: { a: { description: x } } } }]
      requestBody: { content: { application/json: { schema: { allOf: [{ type: object }] } } } }
      responses: { '200': { content: { application/json: { schema: { properties: { a: { description: x } } } } } } }
`;
  expect(await reported('schemas', root)).toEqual([
    '#/paths/~1a/post/requestBody createA: the schema of application/json must have a name.',
    '#/paths/~1a/post/responses/200 createA: the schema of application/json must have a name.',
    '#/paths/~1a/post createA: an object parameter must have a named schema.',
  ]);
});

test('properties have descriptions, conditions need none; nullable and oneOf are refused', async () => {
  const root = `
paths:
  /a: { get: { responses: { '200': { content: { application/json: { schema: { $ref: '#/components/schemas/A' } } } } } } }
components:
  schemas:
    A:
      type: object
      properties:
        one: { type: string }
        two: { type: string, nullable: true, description: Two. }
        three: { description: Three., oneOf: [{ type: string }, { type: 'null' }] }
        four: { $ref: '#/components/schemas/B' }
      if: { properties: { one: {} } }
    B: { type: string }
`;
  expect(await reported('schemas', root)).toEqual([
    '#/components/schemas/A/properties/one `one` has no description.',
    "#/components/schemas/A/properties/two/nullable use `type: [..., 'null']` instead of `nullable`.",
    '#/components/schemas/A/properties/three/oneOf use `anyOf` instead of `oneOf`: an expanded record matches several branches.',
  ]);
});
