import { describe, expect, it } from 'vitest';
import { enteredValues, initialValues, sectionsOf } from './connection-forms.ts';

const shipping = {
  id: 'shipping',
  title: 'Shipping',
  schema: {
    type: 'object' as const,
    properties: {
      warehouse: { type: 'string' as const, title: 'Warehouse', enum: ['HAM', 'MUC'], default: 'HAM' },
      days: { type: 'integer' as const, minimum: 0, maximum: 30 },
      express: { type: 'boolean' as const },
    },
    required: ['warehouse'],
  },
};

it('fields are named by their form, and show their label and choices', () => {
  const [section] = sectionsOf([shipping]);
  expect(section?.title).toBe('Shipping');
  expect(section?.fields.map(({ name, title, kind, isRequired }) => [name, title, kind, isRequired])).toEqual([
    ['shipping.warehouse', 'Warehouse', 'choice', true],
    ['shipping.days', 'days', 'number', false],
    ['shipping.express', 'express', 'switch', false],
  ]);
});

it('saved values take precedence over defaults', () => {
  expect(initialValues([shipping], {})).toEqual({ 'shipping.warehouse': 'HAM' });
  const saved = { 'shipping.warehouse': 'MUC', 'shipping.express': true, 'former.field': 1 };
  expect(initialValues([shipping], saved)).toEqual({ 'shipping.warehouse': 'MUC', 'shipping.express': true });
});

describe('entered values', () => {
  it('have the types of their fields; empty fields have none', () => {
    const sent = { 'shipping.warehouse': 'MUC', 'shipping.days': ' 3 ', 'shipping.express': 'yes', other: 'x' };
    expect(enteredValues([shipping], sent)).toEqual({
      values: { 'shipping.warehouse': 'MUC', 'shipping.days': 3, 'shipping.express': true },
      wrong: new Set(),
    });
    expect(enteredValues([shipping], { 'shipping.warehouse': 'HAM', 'shipping.days': '' }).values).toEqual({
      ...{ 'shipping.warehouse': 'HAM', 'shipping.express': false },
    });
  });

  it.each([
    ['no required value', {}, 'shipping.warehouse'],
    ['a value that is not a choice', { 'shipping.warehouse': 'BER' }, 'shipping.warehouse'],
    ['a fraction', { 'shipping.warehouse': 'HAM', 'shipping.days': '1.5' }, 'shipping.days'],
    ['a number over the limit', { 'shipping.warehouse': 'HAM', 'shipping.days': '31' }, 'shipping.days'],
    ['a text for a number', { 'shipping.warehouse': 'HAM', 'shipping.days': 'many' }, 'shipping.days'],
  ])('with %s are refused', (_, sent, name) => {
    expect(enteredValues([shipping], sent).wrong).toEqual(new Set([name]));
  });
});
