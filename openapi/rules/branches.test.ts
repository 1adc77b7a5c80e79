import { expect, test } from 'vitest';
import { reported } from './reported.ts';

const withSchema = (schema: string) => `
paths: {}
components:
  schemas:
    Code: { type: string }
    Thing: ${schema}
`;

test.for([
  ['{ type: string, anyOf: [{ format: date }, { type: string, format: date-time }] }', ['anyOf/0']],
  ['{ oneOf: [{ type: string }, { maxLength: 3 }] }', ['oneOf/1']],
  ['{ type: object, properties: { at: { anyOf: [{ pattern: a }] } } }', ['properties/at/anyOf/0']],
  [`{ anyOf: [{ $ref: '#/components/schemas/Code' }, { type: 'null' }, { enum: [a] }, { const: b }] }`, []],
  ['{ type: object, not: { anyOf: [{ required: [a] }, { required: [b] }] } }', []],
] as const)('each branch of a choice has a type, outside conditions: %s', async ([schema, places]) => {
  expect(await reported('branches', withSchema(schema))).toEqual(
    places.map((place) => `#/components/schemas/Thing/${place} This branch has no \`type\`.`),
  );
});
