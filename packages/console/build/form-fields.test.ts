import { expect, it } from 'vitest';
import { formFields } from './form-fields.ts';
import type { Schema } from './merged-schema.ts';

const components: Readonly<Record<string, Schema>> = {
  RelationInput: { type: ['object', 'null'] },
  Level: { type: 'string', enum: ['low', 'high'] },
  VendorFields: {
    properties: {
      name: { type: 'string', maxLength: 255 },
      notes: { type: ['string', 'null'], maxLength: 10_000, description: 'Remarks.' },
      rating: { type: ['number', 'null'], minimum: 0, maximum: 5 },
    },
  },
  VendorInput: {
    allOf: [
      { $ref: '#/components/schemas/VendorFields' },
      {
        required: ['name'],
        properties: {
          id: { type: 'string', readOnly: true },
          level: { anyOf: [{ $ref: '#/components/schemas/Level' }, { type: 'null' }] },
          currency: { $ref: '#/components/schemas/RelationInput' },
          lines: { type: 'array' },
          since: { type: ['string', 'null'], format: 'date' },
        },
      },
    ],
  },
};

const fields = formFields({ $ref: '#/components/schemas/VendorInput' }, components, (name) =>
  name === 'currency' ? ['Currency'] : undefined,
);
const field = (name: string) => fields.find((each) => each.name === name);

it('begins with the required fields and leaves out those that cannot be written', () => {
  expect(fields[0]).toMatchObject({ name: 'name', required: true, kind: 'text' });
  expect(fields.map(({ name }) => name)).not.toContain('id');
});

it('enters long texts in several lines', () => {
  expect(field('notes')).toMatchObject({ kind: 'paragraph', nullable: true, description: 'Remarks.' });
});

it('keeps the limits of numbers', () => {
  expect(field('rating')).toMatchObject({ kind: 'number', minimum: 0, maximum: 5 });
});

it('offers the values of an enum that can be null', () => {
  expect(field('level')).toMatchObject({ kind: 'enum', values: ['low', 'high'], nullable: true });
});

it('knows what a relation points to', () => {
  expect(field('currency')).toMatchObject({ kind: 'relation', targets: ['Currency'], nullable: true });
});

it('enters dates as dates, and lists as JSON', () => {
  expect([field('since')?.kind, field('lines')?.kind]).toEqual(['date', 'json']);
});
