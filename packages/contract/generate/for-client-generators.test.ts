import { describe, expect, it } from 'vitest';
import { documentOf, ref } from './document-of.ts';
import { forClientGenerators } from './for-client-generators.ts';
import type { Schema } from './openapi.ts';

const example = { id: '1', _displayValue: 'A thing', rel: 'Thing' };
const reference = [ref('Relation'), ref('Thing')];

function served(schemas: Readonly<Record<string, Schema>>): Readonly<Record<string, Schema>> {
  const { components } = forClientGenerators(documentOf({}, { Relation: { type: 'object' }, ...schemas }));
  return components.schemas ?? {};
}

describe('references', () => {
  const parent = { description: 'Parent.', anyOf: [...reference, { type: 'null' }], examples: [example] };
  const parts = { type: 'array', description: 'Parts.', items: { anyOf: reference }, examples: [[example]] };
  const whole = { type: 'object', properties: { parent, parts } };
  const nullable = { anyOf: [ref('ThingReference'), { type: 'null' }] };

  it('to one entity share a schema, which has their example', () => {
    const { Whole, ThingReference } = served({ Whole: whole, Thing: { type: 'object' } });
    expect(Whole?.properties).toEqual({
      parent: { description: 'Parent.', ...nullable },
      parts: { type: 'array', description: 'Parts.', items: ref('ThingReference') },
    });
    expect(ThingReference).toMatchObject({ anyOf: reference, examples: [example] });
  });

  it('keep an example of their own', () => {
    const other = { ...parent, examples: [{ ...example, id: '2' }] };
    const { Whole } = served({ Whole: { type: 'object', properties: { parent, other } } });
    expect(Whole?.properties?.other).toEqual({ description: 'Parent.', ...nullable, examples: other.examples });
  });

  it('stay if they have several targets or none', () => {
    const several = { anyOf: [...reference, ref('Other')] };
    const none = { anyOf: [ref('Relation'), { type: 'null' }] };
    const { Whole } = served({ Whole: { type: 'object', properties: { several, none } } });
    expect(Whole?.properties).toEqual({ several, none });
  });

  it('refuse a schema whose name is reserved for references', () => {
    expect(() => served({ Whole: whole, ThingReference: {} })).toThrow('a schema ThingReference');
  });
});

describe('the values of a property', () => {
  const state = (values: string[]) => ({ type: 'string', description: 'State.', enum: values, examples: [values[1]] });
  const invoice = (values: string[]) => ({ type: 'object', properties: { state: state(values) } });

  it('are a schema that the forms of a record share', () => {
    const open = ['draft', 'posted'];
    const { Invoice, InvoicePatch, InvoiceState } = served({ Invoice: invoice(open), InvoicePatch: invoice(open) });
    const named = { description: 'State.', examples: ['posted'], ...ref('InvoiceState') };
    expect([Invoice?.properties?.state, InvoicePatch?.properties?.state]).toEqual([named, named]);
    expect(InvoiceState).toEqual({
      type: 'string',
      description: 'Values of `state`.',
      enum: open,
      examples: ['posted'],
    });
  });

  it('are another schema for each record, and for a form with other values', () => {
    const found = served({
      Invoice: invoice(['a', 'b']),
      Order: invoice(['a', 'b']),
      InvoicePatch: invoice(['a', 'c']),
    });
    expect(Object.keys(found)).toEqual(expect.arrayContaining(['InvoiceState', 'OrderState', 'InvoicePatchState']));
    expect(found.InvoicePatch?.properties?.state?.$ref).toBe('#/components/schemas/InvoicePatchState');
  });

  it('can be null, and be those of the elements of a list', () => {
    const nullable = { type: ['string', 'null'], enum: ['a', 'b', null] };
    const list = { type: 'array', items: { type: 'string', enum: ['a', 'b'] } };
    const { Thing } = served({ Thing: { allOf: [{ type: 'object', properties: { nullable, list } }] } });
    expect(Thing?.allOf?.[0]?.properties).toEqual({
      nullable: { anyOf: [ref('ThingNullable'), { type: 'null' }] },
      list: { type: 'array', items: ref('ThingList') },
    });
  });

  it('stay in the property if there is only one, or if its name is taken', () => {
    const only = { type: 'string', enum: ['a'] };
    const taken = { type: 'string', enum: ['a', 'b'] };
    const { Thing } = served({
      Thing: { type: 'object', properties: { only, taken } },
      ThingTaken: { type: 'object' },
    });
    expect(Thing?.properties).toEqual({ only, taken });
  });
});

describe('required properties', () => {
  const fields = { type: 'object', properties: { name: { type: 'string' }, note: { type: 'string' } } };

  it('are repeated in the part that requires them', () => {
    const { Input } = served({ Fields: fields, Input: { allOf: [ref('Fields'), { required: ['name'] }] } });
    expect(Input).toEqual({ allOf: [ref('Fields'), { required: ['name'], properties: { name: { type: 'string' } } }] });
  });

  it('are repeated next to the `allOf`', () => {
    const { Input } = served({ Fields: fields, Input: { allOf: [ref('Fields')], required: ['name'] } });
    expect(Input?.properties).toEqual({ name: { type: 'string' } });
  });

  it('are stated once, in the part that has properties', () => {
    const own = { type: 'object', properties: { vendor: { type: 'string' } } };
    const { Input } = served({ Fields: fields, Input: { allOf: [ref('Fields'), own], required: ['vendor', 'name'] } });
    const properties = { vendor: { type: 'string' }, name: { type: 'string' } };
    expect(Input).toEqual({ allOf: [ref('Fields'), { type: 'object', required: ['vendor', 'name'], properties }] });
  });
});

it('numbers are doubles', () => {
  const amount = { type: ['number', 'null'] };
  const count = { type: 'integer' };
  const { Thing } = served({ Thing: { allOf: [{ properties: { amount, list: { items: amount }, count } }] } });
  const double = { ...amount, format: 'double' };
  expect(Thing?.allOf).toEqual([{ properties: { amount: double, list: { items: double }, count } }]);
});

describe('a form', () => {
  const path = (types: Readonly<Record<string, Schema>>) => ({
    '/things': {
      post: {
        operationId: 'createThing',
        tags: ['Things'],
        requestBody: { content: Object.fromEntries(Object.entries(types).map(([type, schema]) => [type, { schema }])) },
        responses: {},
      },
    },
  });
  const formed = (types: Readonly<Record<string, Schema>>, schemas: Readonly<Record<string, Schema>>) =>
    forClientGenerators(documentOf(path(types), { Relation: { type: 'object' }, ...schemas })).components.schemas ?? {};
  const input = { type: 'object', additionalProperties: false };

  it('whose JSON has another schema is excluded from it, so that generators do not leave out the schema', () => {
    const types = { 'application/json': ref('Input'), 'multipart/form-data': ref('Upload') };
    const { Input, Upload } = formed(types, { Input: input, Upload: input });
    expect(Input).toEqual({ ...input, not: ref('Upload') });
    expect(Upload).toEqual(input);
  });

  it('does not state that it is open, which is the default and openapi-generator refuses', () => {
    const types = { 'application/x-www-form-urlencoded': ref('Input'), 'application/json': ref('Input') };
    const { Input } = formed(types, { Input: { type: 'object', additionalProperties: true } });
    expect(Input).toEqual({ type: 'object' });
  });
});
