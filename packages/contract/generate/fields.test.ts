import { expect, test } from 'vitest';
import { documentOf, ref, thingSchemas } from './document-of.ts';
import { fieldsOf } from './fields.ts';
import type { Schema } from './openapi.ts';

function fieldOf(schema: Schema, more: Record<string, Schema> = {}) {
  const Other = { allOf: [ref('Entity'), { properties: { it: schema } }] };
  const document = documentOf({}, { ...thingSchemas, ...more, Other });
  return fieldsOf(document, 'Other', new Set(['Thing', 'Other'])).find(({ name }) => name === 'it');
}

const given = { name: 'it', nullable: false, required: false, writable: false };
const kind: Schema = { type: 'string', enum: ['a', 'b'] };
const relation = [ref('Relation'), ref('Thing')];

test.each<[string, Schema, object]>([
  ['text', { type: 'string' }, { kind: 'text' }],
  ['text in a form', { type: 'string', format: 'email' }, { kind: 'text' }],
  ['nullable text', { type: ['string', 'null'] }, { kind: 'text', nullable: true }],
  ['a day', { type: ['string', 'null'], format: 'date' }, { kind: 'date', nullable: true }],
  ['a moment', { type: 'string', format: 'date-time' }, { kind: 'datetime' }],
  ['a number', { type: 'number' }, { kind: 'number' }],
  ['an integer', { type: ['integer', 'null'] }, { kind: 'integer', nullable: true }],
  ['a boolean', { type: 'boolean' }, { kind: 'boolean' }],
  ['an enumeration', kind, { kind: 'enum', values: ['a', 'b'] }],
  [
    'a nullable enumeration',
    { type: ['string', 'null'], enum: ['a', null] },
    { kind: 'enum', values: ['a'], nullable: true },
  ],
  ['a named enumeration', ref('Kind'), { kind: 'enum', values: ['a', 'b'] }],
  [
    'a named or no value',
    { anyOf: [ref('Kind'), { type: 'null' }] },
    { kind: 'enum', values: ['a', 'b'], nullable: true },
  ],
  ['a reference', { anyOf: [...relation, { type: 'null' }] }, { kind: 'relation', targets: ['Thing'], nullable: true }],
  ['a reference to several', { anyOf: [...relation, ref('Other')] }, { kind: 'relation', targets: ['Thing', 'Other'] }],
  ['references', { type: 'array', items: { anyOf: relation } }, { kind: 'relations', targets: ['Thing'] }],
  ['texts', { type: 'array', items: { type: 'string' } }, { kind: 'texts' }],
  ['objects', { type: 'array', items: { type: 'object' } }, { kind: 'objects' }],
  ['named objects', { type: 'array', items: ref('Entity') }, { kind: 'objects' }],
  [
    'a nullable list of objects',
    { type: ['array', 'null'], items: { type: 'object' } },
    { kind: 'objects', nullable: true },
  ],
  ['an object', ref('Entity'), { kind: 'object' }],
])('%s', (_, schema, expected) => {
  expect(fieldOf(schema, { Kind: kind })).toEqual({ ...given, ...expected });
});

test('common fields come first, and what the bodies name is writable', () => {
  const fields = fieldsOf(documentOf({}, thingSchemas), 'Thing', new Set(['Thing']));
  expect(fields.map(({ name, writable, required }) => [name, writable, required])).toEqual([
    ['id', false, true],
    ['code', true, false],
    ['name', true, false],
    ['parent', false, false],
  ]);
});
