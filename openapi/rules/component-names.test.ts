import { expect, test } from 'vitest';
import { reported } from './reported.ts';

const root = `
paths:
  /a:
    get:
      parameters: [{ $ref: '#/components/parameters/page' }]
      responses: { '200': { $ref: '#/components/responses/Thing' }, default: { $ref: '#/components/responses/Fault' } }
components:
  parameters: { page: { name: page, in: query, schema: { type: integer } } }
  responses:
    Thing: { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Thing' } } } }
    Fault: { description: no, content: { application/json: { schema: { anyOf: [{ $ref: '#/components/schemas/Fault' }] } } } }
  schemas:
    Thing: { type: object, properties: { kind: { type: string, enum: [a] }, it: { $ref: '#/components/schemas/ThingKind' } } }
    ThingKind: { type: object, properties: { pick: { $ref: '#/components/schemas/Pick' }, at: { $ref: '#/components/schemas/Page' } } }
    Pick: { type: object }
    Page: { type: object }
    Fault: { type: object }
`;

test('components, and enumerations within schemas, become types with different names', async () => {
  expect((await reported('component-names', root)).toSorted()).toEqual([
    '#/ The same name is used for the parameter `page` and the schema `Page`.',
    '#/ The same name is used for the response `Fault` and the schema `Fault`.',
    '#/ The same name is used for the schema `ThingKind` and the enumeration `kind` of `Thing`.',
    '#/ The schema `Pick` has a name that generated code reserves.',
  ]);
});

test('a schema is not called like the outcome of an operation', async () => {
  const operation = `
paths:
  /link:
    get: { operationId: linkToken, responses: { '200': { $ref: '#/components/responses/Linked' } } }
components:
  responses:
    Linked: { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/LinkTokenResponse' } } } }
  schemas: { LinkTokenResponse: { type: object } }
`;
  expect(await reported('component-names', operation)).toEqual([
    '#/ The same name is used for the schema `LinkTokenResponse` and the outcome of `linkToken`.',
  ]);
});
