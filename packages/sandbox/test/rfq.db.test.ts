import type { Row } from '@unified/connectors';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { day } from './day.ts';
import { desk, meant, readBy } from './desk.ts';
import { type Sandbox, startSandbox } from './sandbox.ts';

let sandbox: Sandbox;
const { create, replace, act, named, coded } = desk(() => sandbox);

beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());

describe('a request for quotation', () => {
  const vendors = async () => [
    await named('Vendor', 'ACME Supplies'),
    await sandbox.resolve({ entity: 'Vendor', by: '_idValue', value: '1001' }),
  ];
  const fresh = async (more: Row = {}) => create('Rfq', { vendors: await vendors(), ...more });

  test('accepts every field', async () => {
    const plain = {
      code: 'RFQ-T1',
      title: 'Bolts',
      description: 'Zinc plated',
      issueDate: day(0),
      responseDueDate: day(14),
      shippingMethod: 'Road',
      shippingAddress: {
        addressee: 'Gate 3',
        line1: 'Hafenstr. 4',
        city: 'Hamburg',
        postalCode: '20457',
        countryCode: 'DE',
      },
      notes: 'n',
    };
    const lines = (to: typeof meant | typeof readBy) => [
      {
        line: 1,
        item: to('Item', 'IT-30118'),
        description: 'Hex bolt',
        quantity: 20_000,
        unit: to('Unit', 'STK'),
        requiredDate: day(56),
        targetUnitPrice: 0.1,
      },
      {
        line: 2,
        item: null,
        description: 'Galvanizing',
        quantity: 1,
        unit: null,
        requiredDate: null,
        targetUnitPrice: null,
      },
    ];
    const key = await fresh({
      ...plain,
      lines: lines(meant),
      organization: await coded('Organization', '010'),
      site: await coded('Site', 'HAM'),
      requisition: await coded('PurchaseRequisition', 'PR-1001'),
      currency: await coded('Currency', 'GBP'),
      project: await coded('Project', 'PJ-101'),
      buyer: await named('Employee', 'Maria Keller'),
    });
    expect(await sandbox.record('Rfq', key)).toMatchObject({
      values: { ...plain, lines: lines(readBy), statusCategory: 'draft', subtotal: 2_000, taxTotal: 380, total: 2_380 },
      references: {
        vendors: [{ value: '1042' }, { value: '1001' }],
        organization: { value: '010' },
        requisition: { value: '620001' },
        currency: { value: 'GBP' },
        project: { value: '600101' },
        buyer: { value: '4711' },
      },
    });
  });

  test('gets number, date and currency from the system', async () => {
    expect(await sandbox.record('Rfq', await fresh())).toMatchObject({
      values: {
        code: expect.stringMatching(/^RFQ-\d+$/),
        issueDate: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
        lines: [],
      },
      references: { currency: { value: 'EUR' } },
    });
  });

  test('loses the fields that a replacement does not contain', async () => {
    const key = await fresh({ title: 'Bolts', lines: [{ line: 1, quantity: 5, targetUnitPrice: 2 }] });
    const { values } = await replace('Rfq', key, { vendors: await vendors() });
    expect(values).toMatchObject({ title: null, lines: [], subtotal: null });
  });

  test('has the quotes of its vendors, with their lines among the responses', async () => {
    const key = await fresh({ lines: [{ line: 1, item: await named('Item', 'Hex bolt M8 × 40'), quantity: 500 }] });
    const rfq = { ...(await coded('Rfq', 'RFQ-1001')), _idValue: key };
    const vendor = await named('Vendor', 'ACME Supplies');
    const item = await named('Item', 'Hex bolt M8 × 40');
    const lines = [{ line: 1, item, quantity: 500, unitPrice: 0.2, discountPercent: 5 }];
    const quote = await create('Quote', { code: 'QU-V1', vendor, rfq, expiryDate: day(30), lines });
    expect(await sandbox.record('Quote', quote)).toMatchObject({
      values: { direction: 'purchase' },
      references: { rfq: { entity: 'Rfq', value: key } },
    });
    const offer = { vendor: readBy('Vendor', 'V-1042'), quote: readBy('Quote', 'QU-V1'), line: 1, status: 'received' };
    expect(await sandbox.record('Rfq', key)).toMatchObject({
      values: { responses: [{ ...offer, quantity: 500, unitPrice: 0.19, validUntilDate: day(30) }] },
      references: { quotes: [{ entity: 'Quote', value: quote }] },
    });
    await act('Quote', quote, 'cancel');
    expect((await sandbox.record('Rfq', key)).values.responses).toEqual([]);
  });

  test('accepts only responses of invited vendors to its lines, with a price unless they declined', async () => {
    const [acme, other] = await vendors();
    const stranger = await sandbox.resolve({ entity: 'Vendor', by: '_idValue', value: '1003' });
    const lines = [{ line: 1, description: 'Galvanizing', quantity: 1 }];
    const response = { vendor: acme, line: 1, status: 'received', quantity: 1, unitPrice: 80 };
    const wrong: readonly [Row, RegExp][] = [
      [{ ...response, line: 2 }, /^AN-016: request RFQ-\d+ has no line 2;/],
      [{ ...response, vendor: stranger }, /^AN-017: vendor V-1003 was not invited to request/],
      [{ ...response, unitPrice: null }, /^AN-018: a response of vendor V-1042 to line 1 .* needs a price/],
    ];
    for (const [each, words] of wrong)
      await expect(fresh({ lines, responses: [each] })).rejects.toMatchObject({ words: expect.stringMatching(words) });
    const declined = { vendor: other, line: 1, status: 'declined' };
    const key = await fresh({ lines, responses: [response, declined] });
    expect((await sandbox.record('Rfq', key)).values.responses).toMatchObject([
      { unitPrice: 80 },
      { status: 'declined' },
    ]);
  });

  test('accepts a quote only from an invited vendor', async () => {
    const rfq = { ...(await coded('Rfq', 'RFQ-1001')), _idValue: await fresh() };
    const vendor = await sandbox.resolve({ entity: 'Vendor', by: '_idValue', value: '1003' });
    await expect(create('Quote', { vendor, rfq, lines: [{ quantity: 1, unitPrice: 1 }] })).rejects.toMatchObject({
      words: expect.stringMatching(/^AN-015: a quote for a request must come from a vendor that was invited/),
    });
  });

  test('cannot be changed after it is awarded', async () => {
    const awarded = (await sandbox.records('Rfq')).find(({ values }) => values.statusCategory === 'awarded');
    const { values } = sandbox.mapping('Rfq').write({ title: 'Late' }, { op: 'update' });
    const late = sandbox.driver.writes.update(sandbox.stream('Rfq'), awarded?._idValue ?? '', values, sandbox.intent());
    await expect(late).rejects.toMatchObject({ kind: 'rejected', words: expect.stringMatching(/^AN-030/) });
  });

  test('cannot be due before it is sent', async () => {
    await expect(fresh({ issueDate: day(0), responseDueDate: day(-1) })).rejects.toMatchObject({
      words: expect.stringMatching(/^AN-008: the request cannot be due before its date$/),
    });
  });
});
