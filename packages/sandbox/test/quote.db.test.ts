import type { Row } from '@unified/connectors';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { day } from './day.ts';
import { desk } from './desk.ts';
import { type Sandbox, startSandbox } from './sandbox.ts';

let sandbox: Sandbox;
const { create, replace, act, named, coded } = desk(() => sandbox);

beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());

/** A draft for 2,000 bolts and eight hours of work, or for something else. */
async function fresh(more: Row = {}): Promise<string> {
  return create('Quote', {
    customer: await named('Customer', 'Baker & Sons'),
    lines: [
      { item: await named('Item', 'Hex bolt M8 × 40'), quantity: 2_000, unitPrice: 0.16 },
      { lineType: 'service', description: 'Installation', quantity: 8, unitPrice: 72 },
    ],
    ...more,
  });
}
const refusal = (words: RegExp) => ({ kind: 'rejected', words: expect.stringMatching(words) });

describe('a quote', () => {
  test('accepts every field of its header and lines', async () => {
    const [account, tags] = [await coded('Account', '4010'), [await coded('Taxonomy', 'X-PROJ')]];
    const address = {
      addressee: 'Baker & Sons',
      line1: 'Dock Road 4',
      line2: null,
      city: 'Leeds',
      postalCode: 'LS1',
      countryCode: 'GB',
    };
    const header = {
      code: 'QU-T1',
      description: 'Second version',
      direction: 'sales',
      quoteDate: day(0),
      expiryDate: day(30),
      exchangeRate: 1.1,
      terms: 'Net 30',
      discountPercent: 10,
      discountAmount: 1,
      isTaxInclusive: false,
      billingAddress: address,
      shippingAddress: { ...address, line1: 'Mill Lane 2' },
      customerMemo: 'We look forward to your order',
      notes: 'n',
    };
    const relations = {
      opportunity: await coded('SalesOpportunity', 'OP-710001'),
      currency: await coded('Currency', 'EUR'),
      salesPerson: await named('Employee', 'Maria Keller'),
      account,
      businessUnit: await sandbox.resolve({ entity: 'BusinessUnit', by: '_idValue', value: '2200' }),
    };
    const line = {
      line: 10,
      lineType: 'charge',
      description: 'Set-up',
      quantity: 2,
      unitPrice: 60,
      discountPercent: 5,
      discountAmount: 4,
      serviceDate: day(12),
    };
    const lines = [{ ...line, unit: await coded('Unit', 'H'), account, taxonomies: tags }];
    const key = await fresh({ ...header, ...relations, taxonomies: tags, lines });
    const { values, references } = await sandbox.record('Quote', key);
    expect(values).toMatchObject({ ...header, subtotal: 110, taxTotal: 18.62, total: 116.62 });
    for (const [name, target] of Object.entries(relations)) {
      const found = references[name] as { by: '_idValue' | 'code'; value: string };
      expect({ [name]: found.value }).toEqual({ [name]: target[found.by] });
    }
    expect(references).toMatchObject({ taxonomies: [{ value: 'X-PROJ' }], lines: [{ value: `${key}/10` }] });
    expect(await sandbox.record('QuoteLine', `${key}/10`)).toMatchObject({
      values: { ...line, total: 110, taxAmount: 20.9 },
      references: { quote: { value: key }, unit: { value: 'H' }, currency: { value: 'EUR' } },
    });
  });

  test('is submitted, becomes a sales order, and then cannot be changed', async () => {
    const key = await fresh();
    expect((await act('Quote', key, 'submit', { note: 'Valid for 30 days' })).values).toMatchObject({
      statusCategory: 'submitted',
      submittedAt: expect.any(String),
    });
    const converted = await act('Quote', key, 'convert', { target: 'sales_order', note: 'Ordered by telephone' });
    expect(converted.values.statusCategory).toBe('converted');
    const { value: order } = converted.references.salesOrder as { value: string };
    expect(await sandbox.record('SalesOrder', order)).toMatchObject({
      values: { statusCategory: 'draft', notes: 'Ordered by telephone', subtotal: 896, total: 1066.24 },
      references: { customer: { value: '2007' }, quote: { value: key }, lines: [{}, {}] },
    });
    const late = sandbox.driver.writes.update(sandbox.stream('Quote'), key, { bem: 'x' }, sandbox.intent());
    await expect(late).rejects.toMatchObject(refusal(/^AN-030/));
    await expect(act('Quote', key, 'cancel')).rejects.toMatchObject(refusal(/^AN-051: quote QU-\d+ has status W/));
  });

  test('becomes an invoice without an order', async () => {
    const key = await fresh();
    await act('Quote', key, 'submit');
    const { values, references } = await act('Quote', key, 'convert', { target: 'invoice' });
    expect(values.statusCategory).toBe('converted');
    const { value: invoice } = references.invoice as { value: string };
    expect(await sandbox.record('Invoice', invoice)).toMatchObject({
      values: { subtotal: 896, total: 1066.24 },
      references: { customer: { value: '2007' }, salesOrder: null },
    });
  });

  test('is submitted once, and withdrawn with a reason', async () => {
    const key = await fresh();
    await act('Quote', key, 'submit');
    await expect(act('Quote', key, 'submit')).rejects.toMatchObject(refusal(/^AN-050/));
    expect(await act('Quote', key, 'cancel', { reason: await named('Taxonomy', 'Duplicate') })).toMatchObject({
      values: { statusCategory: 'cancelled' },
      references: { cancelReason: { value: 'S-DUP' } },
    });
  });

  test('that was requested from a vendor takes its currency, and cannot become a sale', async () => {
    const key = await fresh({ customer: null, vendor: await named('Vendor', 'ACME Supplies') });
    expect((await sandbox.record('Quote', key)).values.direction).toBe('purchase');
    await act('Quote', key, 'submit');
    await expect(act('Quote', key, 'convert', { target: 'sales_order' })).rejects.toMatchObject(refusal(/^AN-061/));
    expect((await sandbox.record('Quote', key)).values.statusCategory).toBe('submitted');
  });

  test('takes missing prices and descriptions from the item', async () => {
    const key = await fresh({ lines: [{ item: await named('Item', 'Hex bolt M8 × 40'), quantity: 1 }] });
    const bolt = await sandbox.record('Item', '30118');
    const { values } = await sandbox.record('QuoteLine', `${key}/1`);
    expect(values.unitPrice).toBe(bolt.values.salesPrice ?? Math.round(Number(bolt.values.purchasePrice) * 135) / 100);
    expect(values.description).toBe('Hex bolt M8 × 40');
  });
});

test('the stage of an opportunity determines whether it is won or lost', async () => {
  const stage = (label: string) => named('Taxonomy', label);
  const key = await create('SalesOpportunity', { name: 'Conveyor', stage: await stage('Negotiation') });
  expect((await sandbox.record('SalesOpportunity', key)).values).toMatchObject({
    statusCategory: 'open',
    closedAt: null,
  });
  const won = await replace('SalesOpportunity', key, { name: 'Conveyor', stage: await stage('Business won') });
  expect(won.values).toMatchObject({
    statusCategory: 'won',
    closedAt: expect.stringMatching(/Z$/),
  });
  const wrong = create('SalesOpportunity', { name: 'Conveyor', stage: await stage('Fasteners') });
  await expect(wrong).rejects.toMatchObject(refusal(/^CH-014: G-FAST/));
});
