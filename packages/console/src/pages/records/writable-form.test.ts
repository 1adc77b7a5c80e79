import { expect, it } from 'vitest';
import type { FormField, WriteForm } from '../../contract/entity-facts.ts';
import type { Capability } from './capability-queries.ts';
import { writableForm } from './writable-form.ts';

const field = (name: string): FormField => ({ name, kind: 'text', required: false, nullable: true, description: '' });
const form = (operationId: string): WriteForm => ({
  ...{ operationId, title: '', description: '' },
  fields: ['terms', 'name', 'rating'].map(field),
});
const capability: Capability = {
  ...{ entity: 'Vendor', collection: '/vendors', operations: ['create', 'update'], actions: [], customFields: [] },
  ...{ allowedValues: [], deleteDetection: 'diff' },
  ...{ readFields: ['name', 'terms'], writeFields: ['name', 'terms'], requiredFields: ['name'] },
};

it('a create has the fields that the system accepts, the required ones first', () => {
  const { fields } = writableForm(form('createVendor'), capability);
  expect(fields.map(({ name, required }) => [name, required])).toEqual([
    ['name', true],
    ['terms', false],
  ]);
});

it('an update requires no field', () => {
  expect(writableForm(form('updateVendor'), capability).fields.some(({ required }) => required)).toBe(false);
});
