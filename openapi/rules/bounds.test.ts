import { expect, test } from 'vitest';
import { reported } from './reported.ts';

const root = (schemas: string) => `
paths:
  /a:
    get: { operationId: getA, responses: { '200': { content: { application/json: { schema: { $ref: '#/components/schemas/Answer' } } } } } }
    post: { operationId: createA, requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Sent' } } } } }
    patch: { operationId: updateA, requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Sent' } } } } }
components:
  schemas:
    Answer: { type: object, properties: { free: { type: string }, list: { type: array, items: { type: string } } } }
${schemas}`;

test('strings and lists in requests have a limit, in shared schemas as well; responses need none', async () => {
  const sent = `
    Sent:
      allOf:
        - $ref: '#/components/schemas/Fields'
        - properties: { owner: { anyOf: [{ $ref: shared.yaml#/Point }, { type: 'null' }] } }
    Fields:
      type: object
      properties:
        name: { type: string }
        notes: { type: [string, 'null'], maxLength: 9 }
        tags: { type: array, items: { type: string } }
        points: { type: array, maxItems: 9, items: { $ref: shared.yaml#/Point } }
        extra: { type: object, additionalProperties: { type: string } }
`;
  const shared =
    "Point: { type: object, properties: { value: { type: string }, label: { type: [string, 'null'] } } }\n";
  expect(await reported('bounds', root(sent), { 'shared.yaml': shared })).toEqual([
    '#/components/schemas/Fields/properties/name `name` has no `maxLength`.',
    '#/components/schemas/Fields/properties/tags `tags` has no `maxItems`.',
    '#/components/schemas/Fields/properties/tags/items `items of tags` has no `maxLength`.',
    '#/Point/properties/value `value` has no `maxLength`.',
    '#/Point/properties/label `label` has no `maxLength`.',
    '#/components/schemas/Fields/properties/extra/additionalProperties `items of extra` has no `maxLength`.',
  ]);
});

test('enum values, dates, identifiers and finite patterns need no limit', async () => {
  const sent = `
    Sent:
      type: object
      properties:
        kind: { type: [string, 'null'], enum: [a, null] }
        fixed: { type: string, const: a }
        day: { type: string, format: date }
        id: { type: string, format: uuid }
        country: { type: string, pattern: '^[A-Z+]{2}\\.\\+$' }
        mail: { type: string, format: email }
        open: { type: string, pattern: '[A-Z]{2}' }
        many: { type: string, pattern: '^[A-Z]+$' }
        more: { type: string, pattern: '^[A-Z]{2,}$' }
        either: { type: string, pattern: '^a|b$' }
`;
  expect(await reported('bounds', root(sent))).toEqual(
    ['mail', 'open', 'many', 'more', 'either'].map(
      (name) => `#/components/schemas/Sent/properties/${name} \`${name}\` has no \`maxLength\`.`,
    ),
  );
});

test('a schema that contains itself is checked once', async () => {
  const sent = `
    Sent: { type: object, properties: { name: { type: string }, parent: { $ref: '#/components/schemas/Sent' } } }
`;
  expect(await reported('bounds', root(sent))).toEqual([
    '#/components/schemas/Sent/properties/name `name` has no `maxLength`.',
  ]);
});
