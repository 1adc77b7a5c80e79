import { expect, it } from 'vitest';
import type { FormField, FormKind } from '../../contract/entity-facts.ts';
import { bodyOfForm, EntryError, initialTexts } from './form-body.ts';

const field = (name: string, kind: FormKind, nullable = true): FormField => ({
  ...{ name, kind, nullable, required: false, description: '' },
});
const fields = [
  field('name', 'text', false),
  field('rating', 'number'),
  field('isActive', 'boolean'),
  field('currency', 'relation'),
  field('lines', 'json'),
  field('terms', 'paragraph'),
];

it('contains only what was changed', () => {
  const record = { name: 'Acme', rating: 2, isActive: true, terms: 'Net 30', currency: { _displayValue: 'Euro' } };
  const initial = initialTexts(fields, record);
  const entered = { ...initial, terms: 'Net 45' };
  expect(bodyOfForm(fields, { entered, initial })).toEqual({ terms: 'Net 45' });
});

it('converts numbers, booleans and JSON', () => {
  const entered = { name: 'A', rating: '4.5', isActive: 'false', lines: '[{"quantity":1}]' };
  expect(bodyOfForm(fields, { entered })).toEqual({
    ...{ name: 'A', rating: 4.5, isActive: false },
    lines: [{ quantity: 1 }],
  });
});

it('clears an emptied field with null, and leaves out one that was empty before', () => {
  const initial = { rating: '4' };
  expect(bodyOfForm(fields, { entered: { rating: '', terms: '' }, initial })).toEqual({ rating: null });
});

it('refers to a chosen record by its id, and to another one by its label', () => {
  const chosen = new Map([['Euro', '0199']]);
  expect(bodyOfForm(fields, { entered: { currency: 'Euro' }, chosen })).toEqual({ currency: { id: '0199' } });
  expect(bodyOfForm(fields, { entered: { currency: 'EUR' }, chosen })).toEqual({ currency: { _displayValue: 'EUR' } });
});

it('names the field whose text is no value', () => {
  expect(() => bodyOfForm(fields, { entered: { lines: '{' } })).toThrow(EntryError);
  expect(() => bodyOfForm(fields, { entered: { rating: 'many' } })).toThrow('rating is not a number.');
});
