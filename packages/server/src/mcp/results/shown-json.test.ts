import { expect, it } from 'vitest';
import { maskOf } from '../policy/mask.ts';
import { shownJson } from './shown-json.ts';

const vendor = { id: 'v', rel: 'Vendor', code: 'V1', email: 'a@b.example', _idValue: '1', _displayValue: 'ACME' };
const order = { id: 'o', code: '1', vendor: { id: 'v', rel: 'Vendor', _idValue: '1', _displayValue: 'ACME' } };

const NO_LABEL = { _displayValue: undefined };

/** What is left of a list. */
const shown = (record: object, fields: readonly string[], entity: string, isExpanded = false): unknown =>
  JSON.parse(shownJson(JSON.stringify({ data: [record] }), maskOf(fields), { entity, isExpanded })).data[0];

it.each([
  ['a masked name and the label', vendor, ['email'], 'Vendor', { ...vendor, ...NO_LABEL, email: undefined }],
  ['a masked field and the label', vendor, ['Vendor.code'], 'Vendor', { ...vendor, ...NO_LABEL, code: undefined }],
  [
    'the label of a reference',
    order,
    ['Vendor.email'],
    'WorkOrder',
    { ...order, vendor: { ...order.vendor, ...NO_LABEL } },
  ],
  ['a name in custom fields', { customFields: { iban: 'x' } }, ['iban'], 'Vendor', { customFields: {} }],
])('leaves out %s', (_name, record, fields, entity, expected) => {
  expect(shown(record, fields, entity)).toEqual(expected);
});

it('leaves out masked fields of expanded records', () => {
  const expanded = { id: 'o', vendor: { id: 'v', code: 'V1', email: 'a@b.example' } };
  const left = { id: 'o', vendor: { id: 'v', code: 'V1' } };
  expect(shown(expanded, ['Vendor.email'], 'WorkOrder', true)).toEqual(left);
});

it.each(['\u001b[31mred', 'zero\u200bwidth', 'bell\u0007', 'page\fbreak', 'tag \u{e0041}', 'right\u202eleft'])(
  'leaves out what people cannot see in %j',
  (name) => {
    expect(shown({ name }, [], 'Vendor')).not.toEqual({ name });
  },
);

it.each([
  ['nothing is masked', vendor, []],
  ['only fields of other entities are masked', vendor, ['Employee.email']],
  ['texts have line breaks, accents and quotes', { name: 'Bäcker\n"Müller" \\ Söhne 中' }, ['Employee.email']],
])('returns the same text if %s', (_name, record, fields) => {
  const json = `{ "data": [${JSON.stringify(record)}] }`;
  expect(shownJson(json, maskOf(fields), { entity: 'Vendor', isExpanded: false })).toBe(json);
});
