import { expect, test } from 'vitest';
import { trytonPlatform } from '../../test/running-tryton.ts';
import { optionsProblems } from '../driver-options.ts';
import type { Platform } from '../platform.ts';
import { optionsOf, trytonOptions } from './options.ts';

const platform = trytonPlatform();

test('the platform loads, and its mappings match the document', () => {
  expect(Object.keys(platform.mappings)).toHaveLength(54);
  expect(platform.secrets).toEqual(['password']);
});

test('all errors in the options of the platform are reported together', () => {
  const [first, ...others] = platform.streams;
  if (!first) throw new Error('There is no stream.');
  const wrong: Platform = {
    ...platform,
    options: { flags: { 'party.party': { supplier: { changed: [] } } }, overlapSeconds: 'long' },
    streams: [{ ...first, options: { field: ['name'], buttons: { confirm: {} } } }, ...others],
  };
  expect(optionsProblems(wrong, trytonOptions).map(({ field, message }) => `${field}: ${message}`)).toEqual([
    'options.flags.party.party.supplier.changed: must NOT have fewer than 1 items',
    'options.overlapSeconds: must be integer',
    `streams.currency.currency.options: must have required property 'fields'`,
    'streams.currency.currency.options: unknown keyword "field" (did you mean "fields"?)',
    `streams.currency.currency.options.buttons.confirm: must have required property 'to'`,
  ]);
});

test('every stream names the fields that it reads, and its dates', () => {
  for (const stream of platform.streams) {
    expect(optionsOf(stream).fields, stream.name).toEqual(expect.arrayContaining(['create_date', 'write_date']));
  }
});

test('a term is not replaced, since that would delete its installments', () => {
  expect([...(platform.mappings.PaymentTerm?.writes ?? [])]).toEqual(['create']);
});

test('every action of a mapping presses a button whose outcome is checked', () => {
  const inputs = [
    {},
    ...['draft', 'pending_approval', 'approved', 'cancelled'].map((statusCategory) => ({ statusCategory })),
  ];
  for (const { entity, stream: name, actions } of Object.values(platform.mappings)) {
    const stream = platform.streams.find((each) => each.name === name);
    const buttons = Object.keys((stream && optionsOf(stream).buttons) ?? {});
    const acts = Object.values(actions).flatMap((action) => inputs.map((input) => action.write(input).act));
    for (const act of acts.filter((each) => each !== null)) expect(buttons, entity).toContain(act);
  }
});

test('a status that no Tryton button leads to presses no button', () => {
  const set = platform.mappings.PurchaseOrder?.actions['set-status'];
  expect(set?.write({ statusCategory: 'received' }).act).toBeNull();
  expect(set?.write({ statusCategory: 'approved' }).act).toBe('confirm');
});
