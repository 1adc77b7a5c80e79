import { describe, expect, test } from 'vitest';
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
const entityFields = [
  { ...given, name: 'id', kind: 'text', required: true },
  { ...given, name: 'code', kind: 'text' },
];
const relation = [ref('Relation'), ref('Thing')];

test.each<[string, Schema, object]>([
  ['text', { type: 'string' }, { kind: 'text' }],
  ['text in a form', { type: 'string', format: 'email' }, { kind: 'text' }],
  ['nullable text', { type: ['string', 'null'] }, { kind: 'text', nullable: true }],
  ['a day', { type: ['string', 'null'], format: 'date' }, { kind: 'date', nullable: true }],
  ['a moment', { type: 'string', format: 'date-time' }, { kind: 'datetime' }],
  [
    'text with limits',
    { type: ['string', 'null'], minLength: 2, maxLength: 3, pattern: '^[A-Z]+$' },
    { kind: 'text', nullable: true, limits: { minLength: 2, maxLength: 3, pattern: '^[A-Z]+$' } },
  ],
  ['a number', { type: 'number' }, { kind: 'number' }],
  [
    'a number with limits',
    { anyOf: [{ type: 'number', exclusiveMinimum: 0, maximum: 1 }, { type: 'null' }] },
    { kind: 'number', nullable: true, limits: { exclusiveMinimum: 0, maximum: 1 } },
  ],
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
  [
    'texts from a list of values',
    { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
    { kind: 'texts', values: ['a', 'b'] },
  ],
  [
    'texts with limits, of the list and of its elements',
    { type: 'array', maxItems: 10, items: { type: 'string', maxLength: 5 } },
    { kind: 'texts', limits: { maxLength: 5, maxItems: 10 } },
  ],
  ['objects', { type: 'array', items: { type: 'object' } }, { kind: 'objects' }],
  ['named objects', { type: 'array', items: ref('Entity') }, { kind: 'objects', fields: entityFields }],
  [
    'a nullable list of objects',
    { type: ['array', 'null'], items: { type: 'object' } },
    { kind: 'objects', nullable: true },
  ],
  ['an object', ref('Entity'), { kind: 'object', fields: entityFields }],
  [
    'an object or none',
    { anyOf: [ref('Entity'), { type: 'null' }] },
    { kind: 'object', nullable: true, fields: entityFields },
  ],
])('%s', (_, schema, expected) => {
  expect(fieldOf(schema, { Kind: kind })).toEqual({ ...given, ...expected });
});

test('common fields come first, and fields of the bodies are writable', () => {
  const fields = fieldsOf(documentOf({}, thingSchemas), 'Thing', new Set(['Thing']));
  expect(fields.map(({ name, writable, required }) => [name, writable, required])).toEqual([
    ['id', false, true],
    ['code', true, false],
    ['name', true, false],
    ['parent', false, false],
  ]);
});

describe('objects within a record', () => {
  const plain = { type: 'object', properties: { quantity: { type: 'number' } } };
  const to = { ...ref('Relation'), 'x-references': ['Thing'] };
  const Line: Schema = {
    allOf: [
      plain,
      { properties: { item: { anyOf: [ref('Relation'), { type: 'null' }], 'x-references': ['Thing', 'Other'] } } },
      { properties: { tags: { type: 'array', items: to }, total: { type: 'number', readOnly: true } } },
    ],
  };
  const LineInput: Schema = { allOf: [plain, { properties: { item: ref('RelationInput') } }] };
  const lines = (line: Schema): Schema => ({ properties: { lines: { type: 'array', items: line } } });
  const fieldsWith = (more: Record<string, Schema>) =>
    fieldsOf(documentOf({}, { ...thingSchemas, RelationInput: {}, ...more }), 'Order', new Set(['Thing', 'Order']));

  test('have their own fields; a relation among them names its targets in `x-references`', () => {
    const Order = { allOf: [ref('Entity'), lines(ref('Line'))] };
    const OrderPatch = { allOf: [lines(ref('LineInput'))] };
    const field = fieldsWith({ Line, LineInput, Order, OrderPatch }).find(({ name }) => name === 'lines');
    expect(field).toMatchObject({ kind: 'objects', writable: true });
    expect(field?.fields).toEqual([
      { ...given, name: 'quantity', kind: 'number', writable: true },
      { ...given, name: 'item', kind: 'relation', nullable: true, writable: true, targets: ['Thing', 'Other'] },
      { ...given, name: 'tags', kind: 'relations', targets: ['Thing'] },
      { ...given, name: 'total', kind: 'number' },
    ]);
  });

  test('contain no objects with relations', () => {
    const Order = { allOf: [ref('Entity'), lines({ properties: { parts: { type: 'array', items: Line } } })] };
    expect(() => fieldsWith({ Order })).toThrow('Order: `lines.parts.item` is too deep');
  });
});
