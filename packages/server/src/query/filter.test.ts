import { type Entity, entities, type Field } from '@unified/contract';
import { describe, expect, it } from 'vitest';
import { parseFilter } from './filter.ts';
import { everything, narrowedTo, withholding } from './token-access.ts';

const fields: Field[] = [
  ['id', 'text'],
  ['name', 'text'],
  ['quantity', 'number'],
  ['level', 'integer'],
  ['isActive', 'boolean'],
  ['since', 'date'],
  ['_updatedAt', 'datetime'],
  ['category', 'enum'],
  ['currency', 'relation'],
  ['members', 'relations'],
  ['tags', 'texts'],
  ['emails', 'objects'],
  ['address', 'object'],
].map(([name = '', kind]) => ({
  name,
  kind: kind as Field['kind'],
  nullable: true,
  required: false,
  writable: true,
  ...(kind === 'enum' && { values: ['open', 'closed'] }),
}));
const entity: Entity = {
  ...entities.Vendor,
  fields,
  field: Object.fromEntries(fields.map((field) => [field.name, field])),
};
const ID = '0199d2a4-6c1e-7a53-9f0b-3f1c2d4e5a6b';

const parse = (...conditions: [string, string][]) =>
  parseFilter(entity, new Map(conditions), { narrow: everything }).map(({ field, operator, value }) => [
    field.name,
    operator,
    value,
  ]);
const errorOf = (...conditions: [string, string][]) => {
  try {
    parse(...conditions);
  } catch (error) {
    return error;
  }
  return undefined;
};

describe('a filter', () => {
  it.each([
    ['name', 'ACME', 'eq', 'ACME'],
    ['name:neq', 'ACME', 'neq', 'ACME'],
    ['name:in', 'a,b', 'in', ['a', 'b']],
    ['name:gt', 'm', 'gt', 'm'],
    ['name:gte', 'm', 'gte', 'm'],
    ['name:lt', 'm', 'lt', 'm'],
    ['name:lte', 'm', 'lte', 'm'],
    ['name:contains', '50%_', 'contains', '50%_'],
    ['name:startsWith', 'a', 'startsWith', 'a'],
    ['name:endsWith', 'z', 'endsWith', 'z'],
    ['name', '', 'eq', ''],
    ['name', 'null', 'eq', null],
    ['name:neq', 'null', 'neq', null],
    ['name:contains', 'null', 'contains', 'null'],
    ['quantity:gte', '-12.50', 'gte', '-12.50'],
    ['level:in', '1,2', 'in', ['1', '2']],
    ['isActive', 'false', 'eq', false],
    ['isActive:neq', 'null', 'neq', null],
    ['since:lt', '2026-11-20', 'lt', '2026-11-20T00:00:00Z'],
    ['_updatedAt:gt', '2026-11-20T01:00:00+01:00', 'gt', '2026-11-20T00:00:00Z'],
    ['category', 'open', 'eq', 'open'],
    ['category:in', 'open,closed', 'in', ['open', 'closed']],
    ['category', 'null', 'eq', null],
    ['currency', ID.toUpperCase(), 'eq', ID],
    ['members:in', `${ID},${ID}`, 'in', [ID, ID]],
    ['tags', 'red', 'eq', 'red'],
    ['id:in', ID, 'in', [ID]],
    ['id:startsWith', '0199', 'startsWith', '0199'],
  ])('reads %s=%s', (key, text, operator, value) => {
    expect(parse([key, text])).toEqual([[key.split(':')[0], operator, value]]);
  });

  it('combines two operators on one field into a range', () => {
    expect(parse(['level:gte', '2'], ['level:lt', '5'])).toHaveLength(2);
  });

  it.each([
    ['colour', 'red'],
    ['emails', 'x'],
    ['emails', 'null'],
    ['address', 'x'],
    ['toString', 'x'],
    ['__proto__', 'x'],
    ['', 'x'],
    ['name:like', 'x'],
    ['name:', 'x'],
    ['name:toString', 'x'],
    ['name:eq:eq', 'x'],
    ['isActive:in', 'true'],
    ['isActive:gt', 'true'],
    ['category:contains', 'op'],
    ['currency:gt', ID],
    ['members:contains', ID],
    ['quantity:contains', '1'],
    ['quantity', 'NaN'],
    ['quantity', 'Infinity'],
    ['quantity', '0x10'],
    ['quantity', '1e5'],
    ['quantity', '1,5'],
    ['quantity', ''],
    ['quantity', '9'.repeat(31)],
    ['quantity:gt', 'null'],
    ['isActive', 'yes'],
    ['isActive', 'TRUE'],
    ['since', '2026-02-30'],
    ['since', 'yesterday'],
    ['_updatedAt:gt', '2026-11-20T01:00:00'],
    ['category', 'Open'],
    ['category:in', 'open,'],
    ['currency', 'null'],
    ['currency', 'EUR'],
    ['currency:in', `${ID},`],
    ['name', 'x'.repeat(1001)],
    ['name:in', Array(201).fill('x').join(',')],
  ])('refuses %s=%.40s with the condition', (key, text) => {
    expect(errorOf([key, text])).toMatchObject({
      code: 'SERVICE_INVALID_FILTER',
      details: [{ path: `query/filter[${key}]`, message: expect.stringMatching(/[.?]$/) }],
    });
  });

  it('lists the fields to filter by if one is unknown', () => {
    const allowed = fields.map(({ name }) => name).filter((name) => name !== 'address' && name !== 'emails');
    expect(errorOf(['colour', 'red'])).toMatchObject({ details: [{ allowed }] });
  });

  it('lists the operators of a field if one is unknown', () => {
    expect(errorOf(['currency:gt', ID])).toMatchObject({ details: [{ allowed: ['eq', 'neq', 'in'] }] });
  });

  it('refuses the same field under the same operator twice, however it is spelled', () => {
    expect(errorOf(['name', 'a'], ['name:eq', 'b'])).toMatchObject({ code: 'SERVICE_INVALID_FILTER' });
  });

  it('explains that the plus of an offset must be encoded', () => {
    expect(errorOf(['_updatedAt', '2026-11-20T01:00:00 01:00'])).toMatchObject({
      message: expect.stringContaining('%2B'),
    });
  });
});

describe('a filter by related records', () => {
  const parsed = (key: string, value: string) =>
    parseFilter(entities.PurchaseOrder, new Map([[key, value]]), { narrow: everything })[0];
  const refusal = (key: string, value = 'x') => {
    try {
      return parsed(key, value);
    } catch (error) {
      return error;
    }
  };

  it.each([
    ['vendor.code', 'V-1', 'vendor', 'code', 'eq', 'V-1'],
    ['vendor.name:contains', 'ac,me', 'vendor', 'name', 'contains', 'ac,me'],
    ['vendor._idValue:in', '1,2', 'vendor', '_idValue', 'in', ['1', '2']],
    ['lines._displayValue:startsWith', 'B', 'lines', '_displayValue', 'startsWith', 'B'],
    ['vendor.name', 'null', 'vendor', 'name', 'eq', null],
  ])('reads %s=%s', (key, text, relation, field, operator, value) => {
    expect(parsed(key, text)).toMatchObject({
      field: { name: field },
      through: { relation: { name: relation } },
      operator,
      value,
    });
  });

  it('by id is a filter by the relation itself', () => {
    expect(parsed('vendor.id', ID.toUpperCase())).toEqual({
      field: entities.PurchaseOrder.field.vendor,
      operator: 'eq',
      value: ID,
    });
  });

  it.each([
    ['vendor.cod', 'vendor.code'],
    ['vendr.code', 'vendor.code'],
    ['vendor.label', undefined],
    ['vendor.currency.code', undefined],
    ['vendor.', undefined],
    ['.code', undefined],
    ['code.name', undefined],
    ['vendor.code:neq', undefined],
    ['vendor.code:gt', undefined],
    ['vendor.id:contains', undefined],
    ['toString.code', undefined],
  ])('%s is refused', (key, didYouMean) => {
    expect(refusal(key)).toMatchObject({
      code: 'SERVICE_INVALID_FILTER',
      details: [{ path: `query/filter[${key}]`, allowed: expect.any(Array), ...(didYouMean && { didYouMean }) }],
    });
  });

  it('is refused with the operator that was probably meant', () => {
    expect(refusal('code.contain')).toMatchObject({
      message: expect.stringMatching(/ Did you mean "code:contains"\?$/),
      details: [{ didYouMean: 'code:contains', allowed: expect.arrayContaining(['code:contains', 'code:eq']) }],
    });
  });

  it('is refused without a suggestion if its operator is one of other fields', () => {
    expect(refusal('vendor.code:neq')).toMatchObject({ message: expect.not.stringContaining('Did you mean') });
  });

  it.each([
    ['vendor', 'V-1', 'use filter[vendor.code].'],
    ['statusCategory', 'draft,approved', 'several with the operator "in"'],
  ])('is suggested, or a list, for a value that %s cannot have', (key, value, advice) => {
    expect(refusal(key, value)).toMatchObject({ message: expect.stringContaining(advice) });
  });

  it('is refused with the syntax of operators if the field is not a relation', () => {
    expect(refusal('code.like')).toMatchObject({
      message: expect.stringContaining('"code" is not a relation. An operator follows a colon: filter[code:eq].'),
    });
    expect(refusal('toString.code')).not.toMatchObject({ message: expect.stringContaining('colon') });
  });

  it('is not suggested to a token that does not show it', () => {
    const narrow = narrowedTo([{ entity: 'PurchaseOrder' }]);
    const filter = new Map([['vendor', 'V-1']]);
    expect(() => parseFilter(entities.PurchaseOrder, filter, { narrow })).toThrow(/UUID\)\.$/);
  });

  it('is not suggested for a status to a token that does not show the category', () => {
    const narrow = narrowedTo(withholding([{ entity: 'WorkOrder', fields: ['status'] }]));
    const entity = narrow(entities.WorkOrder) ?? entities.WorkOrder;
    expect(() => parseFilter(entity, new Map([['status', 'open']]), { narrow })).toThrow(/UUID\)\.$/);
  });

  it.each([
    ['vendor.code', ''],
    ['vendor.name:contains', ''],
    ['vendor.code:in', 'V-1,'],
  ])('%s=%s is refused: the text is empty', (key, text) => {
    expect(refusal(key, text)).toMatchObject({
      code: 'SERVICE_INVALID_FILTER',
      details: [{ path: `query/filter[${key}]`, message: 'Send a text that is not empty.' }],
    });
  });

  it('compares a number with numbers', () => {
    const parse = (value: string) =>
      parseFilter(entities.BudgetLine, new Map([['fiscalPeriod.number', value]]), {
        narrow: everything,
      });
    expect(parse('7')).toMatchObject([{ operator: 'eq', value: '7' }]);
    expect(() => parse('seven')).toThrow(/Send a plain decimal number/);
  });
});
