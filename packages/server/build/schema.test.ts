import { expect, test } from 'vitest';
import type { DocumentSchema, ReferenceDocument } from '../src/reference/reference-document.ts';
import { propertiesOf, schemaRef } from './schema.ts';
import { typeOf } from './schema-type.ts';

const schemas: Record<string, DocumentSchema> = {
  Entity: { type: 'object', required: ['id'], properties: { id: { type: 'string', format: 'uuid' } } },
  Relation: { type: 'object' },
  Currency: { allOf: [schemaRef('Entity'), { properties: { name: { type: 'string' } } }] },
  Level: { type: 'integer', enum: [1, 2] },
  MaybeText: { anyOf: [{ type: 'string' }, { type: 'null' }] },
};
const document = { components: { schemas } } as unknown as ReferenceDocument;
const ref = schemaRef;

test('the properties of an object include those of its parts, and those that all records have come last', () => {
  expect(propertiesOf(document, ref('Currency')).map(({ name, isRequired }) => [name, isRequired])).toEqual([
    ['name', false],
    ['id', true],
  ]);
});

const CURRENCY = '<a href="currencies#fields">Currency</a>';

test.each<{ schema: DocumentSchema; words: string }>([
  { schema: { type: ['string', 'null'], format: 'date-time' }, words: 'date-time or null' },
  { schema: { type: 'array', items: { type: 'string' } }, words: 'array of string' },
  {
    schema: { anyOf: [ref('Relation'), ref('Currency'), { type: 'null' }] },
    words: `reference to ${CURRENCY} or null`,
  },
  { schema: { type: 'array', items: ref('Currency') }, words: `array of ${CURRENCY}` },
  { schema: { ...ref('Relation'), 'x-references': ['Currency'] }, words: `reference to ${CURRENCY}` },
  { schema: ref('Relation'), words: 'reference' },
  { schema: ref('Level'), words: 'integer' },
  { schema: ref('MaybeText'), words: 'string or null' },
  { schema: { const: 'a' }, words: '<code>&quot;a&quot;</code>' },
  { schema: {}, words: 'any value' },
])('a type in words: $words', ({ schema, words }) => {
  const linkOf = (name: string) => (name === 'Currency' ? 'currencies#fields' : undefined);
  expect(typeOf(document, schema, linkOf).text).toBe(words);
});
