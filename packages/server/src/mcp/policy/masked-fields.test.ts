import { entityOf } from '@unified/contract';
import { describe, expect, it } from 'vitest';
import { narrowedTo } from '../../query/token-access.ts';
import { isMet } from './argument-condition.ts';
import { accessOf, maskOf } from './mask.ts';
import { masked, maskedArgument } from './masked-fields.ts';

const LABEL = { _idValue: '7', _displayValue: 'ACME' };

describe('a mask', () => {
  it('of a member covers its view, and vice versa', () => {
    expect(maskedArgument({ sort: 'birthDate' }, maskOf(['Employee.birthDate']), 'Person')).toBe('birthDate');
    expect(maskedArgument({ sort: 'email' }, maskOf(['Person.email']), 'Employee')).toBe('email');
  });

  it('of a name covers labels, including those of references', () => {
    const order = {
      code: '1',
      vendor: { id: 'x', rel: 'Vendor', ...LABEL },
      currency: { rel: 'Currency', ...LABEL },
    };
    expect(masked({ data: [order] }, maskOf(['Vendor.name']), 'WorkOrder')).toEqual({
      data: [{ ...order, vendor: { id: 'x', rel: 'Vendor', _idValue: '7' } }],
    });
  });

  it.each(['email', 'taxNumber', 'partnerSinceDate', 'currency'])(
    'of %s covers the label, which may contain it',
    (field) => {
      const order = { vendor: { id: 'x', rel: 'Vendor', ...LABEL }, currency: { rel: 'Currency', ...LABEL } };
      expect(masked({ data: [order] }, maskOf([`Vendor.${field}`]), 'WorkOrder')).toEqual({
        data: [{ vendor: { id: 'x', rel: 'Vendor', _idValue: '7' }, currency: order.currency }],
      });
      const vendor = entityOf('Vendor');
      expect(vendor && narrowedTo(accessOf(maskOf([`Vendor.${field}`])))(vendor)).toMatchObject({ hidesLabel: true });
    },
  );

  it('of a number leaves labels', () => {
    const vendor = { id: 'x', rel: 'Vendor', rating: 3, ...LABEL };
    expect(masked(vendor, maskOf(['Vendor.rating']), 'Vendor')).toEqual({ id: 'x', rel: 'Vendor', ...LABEL });
  });

  it('of a name covers labels of records that refer to it, which may begin with it', () => {
    const address = { id: 'a', rel: 'Address', line1: 'Dock 4', _idValue: '7', _displayValue: 'ACME, Dock 4' };
    expect(masked(address, maskOf(['Vendor.name']), 'Address')).toEqual({
      ...{ id: 'a', rel: 'Address', line1: 'Dock 4', _idValue: '7' },
    });
    const entity = entityOf('Address');
    const narrow = narrowedTo(accessOf(maskOf(['Vendor.name'])));
    expect(entity && narrow(entity)).toMatchObject({ hidesLabel: true });
    expect(masked(address, maskOf(['Vendor.email']), 'Address')).toEqual(address);
  });

  it('covers expanded records, which do not state their entity', () => {
    const expanded = { id: 'x', name: 'ACME', code: 'V1' };
    expect(masked({ name: 'Fix', vendor: expanded }, maskOf(['Vendor.name']), 'WorkOrder')).toEqual({
      name: 'Fix',
      vendor: { id: 'x', code: 'V1' },
    });
  });

  it('of a required field leaves it out of what calls can use', () => {
    const vendor = entityOf('Vendor');
    const narrowed = vendor && narrowedTo(accessOf(maskOf(['Vendor.name'])))(vendor);
    expect(narrowed?.fields.map(({ name }) => name)).toEqual(expect.not.arrayContaining(['name', '_displayValue']));
    expect(narrowed).toMatchObject({ hidesLabel: true, field: { id: {}, code: {} } });
  });

  it.each([
    [{ filter: { 'vendor.name': 'a' } }],
    [{ filter: '{"code":"a"}' }],
    [{ sort: ['code', '-vendor.name'] }],
    [{ body: { vendor: { _displayValue: 'ACME' } } }],
  ])('is recognized in %j', (given) => {
    expect(maskedArgument(given, maskOf(['Vendor.name']), 'WorkOrder')).toBeDefined();
  });

  it('permits the same field of other entities', () => {
    expect(maskedArgument({ sort: 'name', expand: 'vendor' }, maskOf(['Vendor.name']), 'WorkOrder')).toBeUndefined();
  });
});

it('a condition on a property of a reference concerns the record that it leads to', () => {
  const resolved = new Map([['body.vendor', [{ id: 'v1', code: 'ACME' }]]]);
  const facts = { values: { body: { vendor: { code: 'ACME' } } }, resolved };
  expect(isMet({ argument: 'body.vendor.id', operator: 'in', values: ['v1'] }, facts)).toBe(true);
});
