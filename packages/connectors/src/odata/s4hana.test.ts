import { expect, test } from 'vitest';
import { s4hanaPlatform } from '../../test/odata/running-s4hana.ts';
import type { Row } from '../driver.ts';

const { mappings } = s4hanaPlatform();
const valuesOf = (entity: string, row: Row): Row | undefined => mappings[entity]?.read({ key: '1', row })?.values;
const address = (...emails: Row[]): Row => ({ to_EmailAddress: emails });
const email = (EmailAddress: string, IsDefaultEmailAddress = false): Row => ({ EmailAddress, IsDefaultEmailAddress });
const partner = (row: Row): Row => ({
  BusinessPartner: '1',
  BusinessPartnerCategory: '1',
  to_Supplier: { Supplier: '1' },
  to_Customer: { Customer: '1' },
  ...row,
});

const lists: [string, Row[], unknown][] = [
  ['the only one', [email('a@x.example')], 'a@x.example'],
  ['the default one', [email('a@x.example'), email('b@x.example', true)], 'b@x.example'],
  ['none of several without a default', [email('a@x.example'), email('b@x.example')], null],
  ['none if there is none', [], null],
];

test.each(lists)('the email of a partner and of its address is %s', (_, emails, expected) => {
  const row = partner({ to_BusinessPartnerAddress: [address(...emails)] });
  for (const entity of ['Partner', 'Vendor', 'Customer', 'Contact'])
    expect(valuesOf(entity, row)?.email).toBe(expected);
  expect(valuesOf('Address', { BusinessPartner: '1', AddressID: '1', ...address(...emails) })?.email).toBe(expected);
});

test('a partner with several addresses has no email', () => {
  const to_BusinessPartnerAddress = [address(email('a@x.example', true)), address(email('b@x.example', true))];
  expect(valuesOf('Vendor', partner({ to_BusinessPartnerAddress }))?.email).toBeNull();
});

test('the tax number is that of the role, otherwise the only one of the partner', () => {
  const one = [{ BPTaxType: 'DE1', BPTaxNumber: '1' }];
  const two = [...one, { BPTaxType: 'DE0', BPTaxNumber: 'DE2' }];
  const taxNumber = (entity: string, row: Row) => valuesOf(entity, partner(row))?.taxNumber;
  for (const [entity, role] of [
    ['Vendor', 'to_Supplier'],
    ['Customer', 'to_Customer'],
  ] as const) {
    const withRole = { [role]: { Supplier: '1', Customer: '1', VATRegistration: 'DE3' } };
    expect(taxNumber(entity, { ...withRole, to_BusinessPartnerTax: two })).toBe('DE3');
    expect(taxNumber(entity, { to_BusinessPartnerTax: one })).toBe('1');
    expect(taxNumber(entity, { to_BusinessPartnerTax: two })).toBeNull();
  }
  expect(taxNumber('Partner', { to_BusinessPartnerTax: one })).toBe('1');
  expect(taxNumber('Partner', { to_BusinessPartnerTax: two })).toBeNull();
});
