import type { Row } from '@unified/connectors';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { day } from './day.ts';
import { desk } from './desk.ts';
import { type Sandbox, startSandbox } from './sandbox.ts';

let sandbox: Sandbox;
const { create, replace, named, coded } = desk(() => sandbox);

beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());

/** Fifty bolts that a customer sends back, or something else. */
async function fresh(more: Row = {}): Promise<string> {
  return create('ReturnOrder', {
    returnType: 'customer_return',
    customer: await named('Customer', 'Baker & Sons'),
    lines: [{ item: await named('Item', 'Hex bolt M8 × 40'), quantity: 50 }],
    ...more,
  });
}
const refusal = (words: RegExp) => ({ kind: 'rejected', words: expect.stringMatching(words) });

describe('a return order', () => {
  test('accepts every field of its header and lines', async () => {
    const sold = (await sandbox.records('SalesOrderLine')).find(
      ({ values, references }) => Number(values.shippedQuantity) >= 2 && references.item,
    );
    const originLine = await sandbox.resolve({ entity: 'SalesOrderLine', by: '_idValue', value: sold?._idValue ?? '' });
    const header = {
      code: 'RT-T1',
      description: 'Box was wet',
      orderDate: day(20),
      dueDate: day(34),
      shippingMethod: 'Parcel',
      notes: 'n',
    };
    const relations = {
      vendor: await named('Vendor', 'ACME Supplies'),
      salesOrder: await sandbox.resolve({
        entity: 'SalesOrder',
        by: '_idValue',
        value: sold?._idValue.split('/')[0] ?? '',
      }),
      purchaseOrder: await coded('PurchaseOrder', 'PO-1001'),
      reasonCode: await named('Taxonomy', 'Damaged in transit'),
      currency: await coded('Currency', 'EUR'),
    };
    const line = {
      line: 3,
      description: 'Bolts',
      quantity: 2,
      unitPrice: 4.5,
      condition: 'Rusty',
      disposition: 'scrap',
      lotNumber: 'L-1',
      serialNumbers: ['A 1', 'B 2'],
    };
    const targets = {
      originLine,
      item: await named('Item', 'Hex bolt M8 × 40'),
      unit: await coded('Unit', 'STK'),
      reasonCode: await named('Taxonomy', 'Defective'),
    };
    const key = await fresh({ ...header, ...relations, lines: [{ ...line, ...targets }] });
    const { values, references } = await sandbox.record('ReturnOrder', key);
    expect(values).toMatchObject({ ...header, statusCategory: 'draft', subtotal: 9, taxTotal: 1.71, total: 10.71 });
    const kept = await sandbox.record('ReturnOrderLine', `${key}/3`);
    expect(kept.values).toMatchObject({ ...line, total: 9, receivedQuantity: 0 });
    for (const [found, sent] of [
      [references, relations],
      [kept.references, targets],
    ] as const) {
      for (const [name, target] of Object.entries(sent)) {
        const { by, value } = found[name] as { by: '_idValue' | 'code'; value: string };
        expect({ [name]: value }).toEqual({ [name]: target[by] });
      }
    }
  });

  test('gets code, date, currency and price from the system', async () => {
    const customer = await sandbox.record('Customer', '2007');
    const { values, references } = await sandbox.record('ReturnOrder', await fresh());
    expect(values).toMatchObject({
      code: expect.stringMatching(/^RT-\d+$/),
      orderDate: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      total: expect.any(Number),
    });
    expect(references.currency).toEqual(customer.references.currency);
  });

  test('gets other lines when it is replaced', async () => {
    const key = await fresh();
    const body = {
      returnType: 'customer_return',
      customer: await named('Customer', 'Baker & Sons'),
      lines: [{ item: await named('Item', 'Hex bolt M8 × 40'), quantity: 60, unitPrice: 1 }],
    };
    expect((await replace('ReturnOrder', key, body)).values).toMatchObject({ subtotal: 60, orderDate: null });
  });

  test('requires the matching party, and at most the delivered quantity', async () => {
    await expect(fresh({ returnType: 'vendor_return' })).rejects.toMatchObject(refusal(/^RT-011/));
    const line = (await sandbox.records('PurchaseOrderLine')).find(
      ({ values, references }) => Number(values.receivedQuantity) > 0 && references.item,
    );
    const originLine = await sandbox.resolve({
      entity: 'PurchaseOrderLine',
      by: '_idValue',
      value: line?._idValue ?? '',
    });
    const item = await named('Item', 'Hex bolt M8 × 40');
    const tooMuch = fresh({
      returnType: 'vendor_return',
      vendor: await named('Vendor', 'ACME Supplies'),
      lines: [{ item, originLine, quantity: 100_000 }],
    });
    await expect(tooMuch).rejects.toMatchObject(refusal(/^RT-042: 100000.* would be returned, but only/));
    await expect(fresh({ reasonCode: await named('Taxonomy', 'Duplicate') })).rejects.toMatchObject(refusal(/^RT-014/));
  });
});
