import { describe, expect, test } from 'vitest';
import { documentOf, ref } from './document-of.ts';
import { flatten } from './flatten.ts';

const document = documentOf(
  {},
  {
    Base: { type: 'object', description: 'Base.', required: ['id'], properties: { id: { type: 'string' } } },
    Open: { allOf: [ref('Base'), { properties: { name: { type: 'string' } }, required: ['name'] }] },
    Closed: { allOf: [ref('Open')], description: 'Closed.', unevaluatedProperties: false },
  },
);

describe('flatten', () => {
  test('joins properties and required in the order of the document', () => {
    expect(flatten(document, ref('Open'))).toEqual({
      type: 'object',
      description: 'Base.',
      required: ['id', 'name'],
      properties: { id: { type: 'string' }, name: { type: 'string' } },
    });
  });

  test('turns unevaluatedProperties into additionalProperties', () => {
    const flat = flatten(document, ref('Closed'));
    expect(flat).toMatchObject({ description: 'Closed.', additionalProperties: false });
    expect(flat).not.toHaveProperty('unevaluatedProperties');
  });

  test('allows a schema to require more properties of a closed part', () => {
    expect(flatten(document, { allOf: [ref('Closed')], required: ['code'] }).required).toEqual(['id', 'name', 'code']);
  });

  test('refuses to add properties to a closed part', () => {
    const widened = { allOf: [ref('Closed'), { properties: { extra: {} } }] };
    expect(() => flatten(document, widened)).toThrow('adds `extra` to a schema that allows no further properties');
  });

  test('merges the keywords of a property', () => {
    const schema = { allOf: [ref('Base'), { properties: { id: { format: 'uuid' } } }] };
    expect(flatten(document, schema).properties?.id).toEqual({ type: 'string', format: 'uuid' });
  });

  test('refuses two parts with alternatives', () => {
    expect(() => flatten(document, { allOf: [{ anyOf: [{}] }, { anyOf: [{}] }] })).toThrow('`anyOf`');
  });

  test('reports a reference without a target', () => {
    expect(() => flatten(document, ref('Nothing'))).toThrow('The document has no #/components/schemas/Nothing.');
  });
});
