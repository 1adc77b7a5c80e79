import { entities } from '@unified/contract';
import { describe, expect, it } from 'vitest';
import { type Expansion, parseExpand, parseFields } from './record-shape.ts';
import { everything } from './token-access.ts';

type Plain = { [name: string]: Plain };
const plain = (tree: Expansion): Plain => Object.fromEntries([...tree].map(([name, inner]) => [name, plain(inner)]));
const expand = (text?: string) => plain(parseExpand(entities.Vendor, { expand: text }, everything));
const REQUIRED = entities.Vendor.fields.filter(({ required }) => required).map(({ name }) => name);

describe('expand', () => {
  it('is empty if nothing is requested', () => {
    expect(expand()).toEqual({});
  });

  it('reads relation fields, and those of their targets after a dot', () => {
    expect(expand('currency,accountPayable.organization,accountPayable.parent')).toEqual({
      currency: {},
      accountPayable: { organization: {}, parent: {} },
    });
  });

  it('combines the fields of both names of the parameter', () => {
    const both = parseExpand(
      entities.Vendor,
      { expand: 'currency,paymentTerm', extend: 'currency,taxRate' },
      everything,
    );
    expect(plain(both)).toEqual({ currency: {}, paymentTerm: {}, taxRate: {} });
  });

  it('refuses lines that are part of their record, and their targets', () => {
    for (const text of ['lines', 'lines.account'])
      expect(() => parseExpand(entities.JournalEntry, { expand: text }, everything)).toThrow(
        '"lines" is not a relation of JournalEntry',
      );
  });

  it.each([
    'name',
    'colour',
    '',
    'currency,',
    '__proto__',
    'accountPayable.name',
    'accountPayable.parent.parent',
    Array(21).fill('currency').join(','),
  ])('refuses %.40j and lists the fields that can be used', (text) => {
    expect(() => expand(text)).toThrow(
      expect.objectContaining({
        code: 'SERVICE_INVALID_EXPAND',
        details: [expect.objectContaining({ path: 'query/expand' })],
      }),
    );
  });
});

const fields = (text?: string, expand?: string) =>
  parseFields(entities.Vendor, text, parseExpand(entities.Vendor, { expand }, everything));
const names = (text: string, expand?: string) => [...(fields(text, expand)?.keys() ?? [])];

describe('fields', () => {
  it('are all fields if none are listed', () => {
    expect(fields()).toBeUndefined();
    expect(fields(undefined, 'currency')).toBeUndefined();
  });

  it('are those that the schema requires, the listed fields and those to expand, each once', () => {
    expect(REQUIRED).toEqual(expect.arrayContaining(['id', 'code', '_source', '_updatedAt', 'name']));
    expect(names('phone,_updatedAt,phone')).toEqual([...REQUIRED, 'phone']);
    expect(names('id,phone', 'currency,accountPayable.parent')).toEqual([
      ...REQUIRED,
      'phone',
      'currency',
      'accountPayable',
    ]);
  });

  it.each(['', 'name,', 'name, code', 'colour', '__proto__', 'constructor', 'currency.name'])(
    'refuses %j and lists the existing fields',
    (text) => {
      const allowed = expect.arrayContaining(['id', 'name', 'currency']);
      expect(() => fields(text)).toThrow(
        expect.objectContaining({
          code: 'SERVICE_INVALID_FIELDS',
          details: [
            expect.objectContaining({
              path: 'query/fields',
              message: expect.stringContaining('has no field'),
              allowed,
            }),
          ],
        }),
      );
    },
  );
});
