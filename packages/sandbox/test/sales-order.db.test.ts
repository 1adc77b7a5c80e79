import type { Row } from '@unified/connectors';
import type { Reference } from '@unified/contract';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { day } from './day.ts';
import { desk } from './desk.ts';
import { type Sandbox, startSandbox } from './sandbox.ts';

let sandbox: Sandbox;
const { create, act, named, coded } = desk(() => sandbox);

beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());

/** A draft of 500 bolts and freight, or of other lines. */
async function fresh(more: Row = {}): Promise<string> {
  return create('SalesOrder', {
    customer: await named('Customer', 'Baker & Sons'),
    orderDate: day(0),
    lines: [
      { item: await named('Item', 'Hex bolt M8 × 40'), quantity: 500, unitPrice: 0.16 },
      { lineType: 'freight', description: 'Freight', quantity: 1, unitPrice: 18.5 },
    ],
    ...more,
  });
}
async function confirmed(more: Row = {}): Promise<string> {
  const key = await fresh(more);
  await act('SalesOrder', key, 'set-status', { statusCategory: 'open' });
  return key;
}
/** A reference to a new record that no pass has read yet. */
const made = (entity: string, key: string) => ({ entity, id: `id of ${key}`, _idValue: key, code: key });
const linesOf = async (key: string) =>
  Promise.all([1, 2].map(async (line) => (await sandbox.record('SalesOrderLine', `${key}/${line}`)).values));
const shipmentsOf = async (key: string) => {
  const { references } = await sandbox.record('SalesOrder', key);
  return [references.shipments ?? []].flat().map(({ value }) => value);
};
const refusal = (words: RegExp) => ({ kind: 'rejected', words: expect.stringMatching(words) });

describe('a sales order', () => {
  test('accepts every field of its header and lines', async () => {
    const [place, account] = [await named('Location', 'Warehouse HAM-A'), await coded('Account', '4010')];
    const tags = [await coded('Taxonomy', 'X-OPEX'), await coded('Taxonomy', 'X-ENER')];
    const line = {
      line: 10,
      lineType: 'service',
      variantSku: 'NW-1',
      description: 'Installation',
      quantity: 2,
      unitPrice: 60,
      discountPercent: 5,
      discountAmount: 1,
      promisedDate: day(12),
    };
    const address = {
      addressee: 'Baker & Sons',
      line1: 'Dock Road 4',
      line2: 'Gate 3',
      city: 'Leeds',
      postalCode: 'LS1 4',
      countryCode: 'GB',
    };
    const header = {
      code: 'SO-T1',
      description: 'Spring series',
      requestedDate: day(11),
      promisedDate: day(19),
      exchangeRate: 1.1,
      shippingMethod: 'Road',
      shippingAddress: address,
      billingAddress: { ...address, line1: 'Mill Lane 2' },
      discountPercent: 10,
      discountAmount: 2,
      shippingCost: 9.9,
      isTaxInclusive: false,
      purchaseOrderNumber: 'B-1',
      notes: 'n',
    };
    const relations = {
      salesPerson: await named('Employee', 'Maria Keller'),
      organization: await coded('Organization', '010'),
      site: await named('Site', 'Plant Hamburg'),
      currency: await coded('Currency', 'EUR'),
      quote: await coded('Quote', 'QU-720001'),
      account,
      businessUnit: await sandbox.resolve({ entity: 'BusinessUnit', by: '_idValue', value: '2200' }),
    };
    const lines = [{ ...line, unit: await coded('Unit', 'H'), location: place, account, taxonomies: tags }];
    const key = await fresh({ ...header, ...relations, taxonomies: tags, lines });
    const order = await sandbox.record('SalesOrder', key);
    expect(order.values).toMatchObject({ ...header, subtotal: 113, discountTotal: 20.3, taxTotal: 18.94 });
    expect(order.values.total).toBe(128.54);
    for (const [name, target] of Object.entries(relations)) {
      const found = order.references[name] as { by: '_idValue' | 'code'; value: string };
      expect({ [name]: found.value }).toEqual({ [name]: target[found.by] });
    }
    const kept = await sandbox.record('SalesOrderLine', `${key}/10`);
    expect(kept.values).toMatchObject({ ...line, total: 113, taxAmount: 21.47 });
    expect(kept.references).toMatchObject({
      salesOrder: { value: key },
      location: { value: place._idValue },
      unit: { value: 'H' },
      taxonomies: [{ value: 'X-OPEX' }, { value: 'X-ENER' }],
    });
  });

  test('with prices that include tax computes the net amounts', async () => {
    const lines = [{ lineType: 'service', description: 'Training', quantity: 1, unitPrice: 119 }];
    const key = await fresh({ isTaxInclusive: true, lines });
    expect((await sandbox.record('SalesOrder', key)).values).toMatchObject({ taxTotal: 19, total: 119 });
    const { values } = sandbox.mapping('SalesOrder').write({ isTaxInclusive: false }, { op: 'update' });
    await sandbox.driver.writes.update(sandbox.stream('SalesOrder'), key, values, sandbox.intent());
    expect((await sandbox.record('SalesOrder', key)).values).toMatchObject({ taxTotal: 22.61, total: 141.61 });
  });

  test('ships in parts, is closed, and can be reopened', async () => {
    const key = await fresh();
    await expect(act('SalesOrder', key, 'ship')).rejects.toMatchObject(refusal(/^VK-050/));
    await act('SalesOrder', key, 'set-status', { statusCategory: 'open' });
    const some = await act('SalesOrder', key, 'ship', {
      shippedAt: `${day(12)}T14:10:00Z`,
      carrier: 'Northern Freight',
      trackingNumber: '1Z9',
      location: await named('Location', 'Warehouse HAM-A'),
      lines: [{ line: made('SalesOrderLine', `${key}/1`), quantity: 200 }],
      note: 'Two pallets',
    });
    expect(some.values).toMatchObject({ statusCategory: 'partially_shipped', fulfillmentStatus: 'partial' });
    expect(await linesOf(key)).toMatchObject([
      { shippedQuantity: 200, backorderedQuantity: 300 },
      { shippedQuantity: 0, backorderedQuantity: 0 },
    ]);
    const [shipment = ''] = await shipmentsOf(key);
    expect(await sandbox.record('Shipment', shipment)).toMatchObject({
      values: {
        direction: 'outbound',
        statusCategory: 'in_transit',
        shippedAt: `${day(12)}T14:10:00Z`,
        carrierName: 'Northern Freight',
        trackingNumber: '1Z9',
        notes: 'Two pallets',
      },
      references: { customer: { value: '2007' }, lines: [{ value: `${shipment}/1` }] },
    });
    const all = await act('SalesOrder', key, 'ship', { shippedAt: `${day(13)}T08:00:00Z` });
    expect(all.values).toMatchObject({
      statusCategory: 'shipped',
      fulfillmentStatus: 'shipped',
      shippedAt: `${day(13)}T08:00:00.000Z`,
    });
    await expect(
      act('SalesOrder', key, 'cancel', { reason: await named('Taxonomy', 'Duplicate') }),
    ).rejects.toMatchObject(refusal(/^VK-052/));
    expect((await act('SalesOrder', key, 'close', { note: 'Done' })).values).toMatchObject({
      statusCategory: 'closed',
      closedAt: expect.any(String),
    });
    const late = sandbox.driver.writes.update(sandbox.stream('SalesOrder'), key, { bem: 'x' }, sandbox.intent());
    await expect(late).rejects.toMatchObject(refusal(/^VK-030/));
    expect((await act('SalesOrder', key, 'reopen', { note: 'Still billed' })).values).toMatchObject({
      statusCategory: 'shipped',
      closedAt: null,
    });
  });

  test('is cancelled with a reason, and reopened unchanged', async () => {
    const key = await fresh();
    await expect(act('SalesOrder', key, 'cancel', {})).rejects.toMatchObject({ kind: 'rejected' });
    const cancelled = await act('SalesOrder', key, 'cancel', { reason: await named('Taxonomy', 'Duplicate') });
    expect(cancelled).toMatchObject({
      values: { statusCategory: 'cancelled', paymentStatus: 'voided', fulfillmentStatus: 'cancelled' },
      references: { cancelReason: { value: 'S-DUP' } },
    });
    expect((await act('SalesOrder', key, 'reopen')).values).toMatchObject({
      statusCategory: 'draft',
      paymentStatus: 'pending',
      fulfillmentStatus: 'pending',
    });
  });

  test('accepts a status by name, and only reasons from the matching list', async () => {
    const key = await fresh();
    const held = await act('SalesOrder', key, 'set-status', {
      status: await named('Status', 'Sales order held for credit'),
    });
    expect(held).toMatchObject({ values: { statusCategory: 'draft' }, references: { status: { value: 'VKA/15' } } });
    await act('SalesOrder', key, 'set-status', { statusCategory: 'open' });
    const closed = await act('SalesOrder', key, 'close');
    expect(closed.values).toMatchObject({ statusCategory: 'closed', closedAt: expect.any(String) });
    const wrong = act('SalesOrder', await fresh(), 'cancel', { reason: await named('Taxonomy', 'Fasteners') });
    await expect(wrong).rejects.toMatchObject(refusal(/^VK-014: G-FAST is not a reason/));
  });

  test('is shipped and invoiced only by documents, and finished ones are reopened first', async () => {
    const key = await fresh();
    const set = (statusCategory: string) => act('SalesOrder', key, 'set-status', { statusCategory });
    await expect(set('shipped')).rejects.toMatchObject(refusal(/^VK-058: .* ship or invoice it instead$/));
    await expect(set('closed')).rejects.toMatchObject(refusal(/^VK-065: .* close it /));
    await expect(set('cancelled')).rejects.toMatchObject(refusal(/^VK-065: .* cancel it /));
    await set('open');
    await act('SalesOrder', key, 'ship', { lines: [{ line: made('SalesOrderLine', `${key}/1`), quantity: 200 }] });
    await expect(set('draft')).rejects.toMatchObject(refusal(/^VK-060: .* can only be closed$/));
    const { values } = sandbox
      .mapping('SalesOrder')
      .write({ lines: [{ line: 1, quantity: 100 }, { line: 2 }] }, { op: 'update' });
    const fewer = sandbox.driver.writes.update(sandbox.stream('SalesOrder'), key, values, sandbox.intent());
    await expect(fewer).rejects.toMatchObject(refusal(/^VK-03[12]/));
    await act('SalesOrder', key, 'close');
    await expect(set('open')).rejects.toMatchObject(refusal(/^VK-059: .* reopen it first$/));
  });

  test('keeps its customer and lines while it is on a draft invoice', async () => {
    const key = await confirmed();
    await act('SalesOrder', key, 'convert', { target: 'invoice' });
    const draft = act('SalesOrder', key, 'set-status', { statusCategory: 'draft' });
    await expect(draft).rejects.toMatchObject(refusal(/^VK-060: .* can only be closed$/));
    const lines = [{ item: await named('Item', 'Hex bolt M8 × 40'), quantity: 750 }];
    const { values } = sandbox.mapping('SalesOrder').write({ lines }, { op: 'update' });
    const removal = sandbox.driver.writes.update(sandbox.stream('SalesOrder'), key, values, sandbox.intent());
    await expect(removal).rejects.toMatchObject(refusal(/^VK-031: line 1/));
  });

  test('keeps lines that were partly shipped, and ships at most the ordered quantity', async () => {
    const key = await confirmed();
    const line = made('SalesOrderLine', `${key}/1`);
    await expect(act('SalesOrder', key, 'ship', { lines: [{ line, quantity: 501 }] })).rejects.toMatchObject(
      refusal(/^LI-042: line 1 .* 501\.?0* would be shipped, but only 500\.000 were ordered$/),
    );
    const foreign = made('SalesOrderLine', `${await confirmed()}/1`);
    await expect(act('SalesOrder', key, 'ship', { lines: [{ line: foreign, quantity: 1 }] })).rejects.toMatchObject(
      refusal(/^LI-041/),
    );
    expect((await sandbox.record('SalesOrder', key)).values.statusCategory).toBe('open');
    await act('SalesOrder', key, 'ship', { lines: [{ line, quantity: 1 }] });
    const lines = [{ item: await named('Item', 'Hex bolt M8 × 40'), quantity: 750 }];
    const { values } = sandbox.mapping('SalesOrder').write({ lines }, { op: 'update' });
    const removal = sandbox.driver.writes.update(sandbox.stream('SalesOrder'), key, values, sandbox.intent());
    await expect(removal).rejects.toMatchObject(refusal(/^VK-031: line 1/));
  });

  test('is refused for a blocked customer', async () => {
    const blocked = (await sandbox.records('Customer')).find(({ values }) => values.isActive === false);
    const customer = await sandbox.resolve({ entity: 'Customer', by: '_idValue', value: blocked?._idValue ?? '' });
    await expect(fresh({ customer })).rejects.toMatchObject(refusal(/^KD-017: customer C-\d+ .* is blocked/));
  });

  test('becomes a shipment that is not yet sent', async () => {
    const key = await confirmed();
    expect((await act('SalesOrder', key, 'convert', { target: 'shipment' })).values.statusCategory).toBe('open');
    const [shipment = ''] = await shipmentsOf(key);
    expect((await sandbox.record('Shipment', shipment)).values).toMatchObject({
      statusCategory: 'draft',
      shippedAt: null,
    });
    await expect(act('SalesOrder', key, 'convert', { target: 'shipment' })).rejects.toMatchObject(refusal(/^VK-041/));
    await act('Shipment', shipment, 'complete', { deliveredAt: `${day(14)}T09:40:00Z` });
    expect((await sandbox.record('SalesOrder', key)).values).toMatchObject({
      statusCategory: 'shipped',
      fulfillmentStatus: 'delivered',
    });
  });

  test('becomes an invoice of the quantities not yet invoiced', async () => {
    const key = await confirmed({ shippingCost: 10, discountPercent: 2 });
    await act('SalesOrder', key, 'ship', { lines: [{ line: made('SalesOrderLine', `${key}/1`), quantity: 200 }] });
    const billed = await act('SalesOrder', key, 'convert', { target: 'invoice', note: 'Partial delivery' });
    expect(billed.values.statusCategory).toBe('partially_shipped');
    const [invoice = ''] = [billed.references.invoices ?? []].flat().map(({ value }) => value);
    expect(await sandbox.record('Invoice', invoice)).toMatchObject({
      values: {
        invoiceType: 'accounts_receivable',
        shippingCost: 10,
        discountPercent: 2,
        subtotal: 98.5,
        notes: 'Partial delivery',
      },
      references: { salesOrder: { value: key }, customer: { value: '2007' } },
    });
    expect((await sandbox.record('InvoiceLine', `${invoice}/1`)).references.salesOrderLine).toMatchObject({
      value: `${key}/1`,
    });
    expect(await linesOf(key)).toMatchObject([{ invoicedQuantity: 0 }, { invoicedQuantity: 0 }]);
    await expect(act('SalesOrder', key, 'convert', { target: 'invoice' })).rejects.toMatchObject(refusal(/^VK-063/));
    expect((await act('SalesOrder', key, 'ship')).values.statusCategory).toBe('shipped');
  });

  test('is invoiced when its invoice is posted, and no longer when that is cancelled', async () => {
    const key = await confirmed();
    await act('SalesOrder', key, 'ship');
    const { references } = await act('SalesOrder', key, 'convert', { target: 'invoice' });
    const [invoice = ''] = [references.invoices ?? []].flat().map(({ value }) => value);
    const status = async () => (await sandbox.record('SalesOrder', key)).values.statusCategory;
    await act('Invoice', invoice, 'submit');
    expect(await status()).toBe('shipped');
    await act('Invoice', invoice, 'approve');
    expect(await status()).toBe('invoiced');
    expect(await linesOf(key)).toMatchObject([{ invoicedQuantity: 500 }, { invoicedQuantity: 1 }]);
    await act('Invoice', invoice, 'cancel');
    expect(await status()).toBe('shipped');
  });

  test('becomes a purchase order delivered to its customer, from the vendor of the item or another', async () => {
    const key = await confirmed();
    await act('SalesOrder', key, 'convert', { target: 'purchase_order' });
    const vendor = await named('Vendor', 'ACME Supplies');
    const { references } = await act('SalesOrder', key, 'convert', {
      target: 'purchase_order',
      vendor,
      note: 'Urgent',
    });
    const [own, other] = [references.purchaseOrders ?? []].flat().map(({ value }) => value);
    const bolt = await sandbox.record('Item', '30118');
    expect((await sandbox.record('PurchaseOrder', own ?? '')).references).toMatchObject({
      vendor: { value: (bolt.references.preferredVendor as Reference).value },
      customer: { value: '2007' },
    });
    expect(await sandbox.record('PurchaseOrder', other ?? '')).toMatchObject({
      values: { statusCategory: 'draft', notes: 'Urgent', subtotal: 55 },
      references: { vendor: { value: vendor._idValue }, lines: [{ value: `${other}/1` }] },
    });
  });
});

describe('a shipment', () => {
  test('accepts every field of its header and lines', async () => {
    const header = {
      code: 'SH-T1',
      description: 'Two pallets',
      direction: 'transfer',
      carrierName: 'Own',
      carrierService: 'Express',
      shippingMethod: 'Road',
      trackingNumber: '0815',
      trackingUrl: 'https://track.example/0815',
      expectedDeliveryAt: `${day(14)}T10:00:00Z`,
      packageCount: 2,
      weight: 84.5,
      freightCost: 62.4,
      notes: 'n',
      destinationAddress: {
        addressee: 'Gate 3',
        line1: 'Dock Road 4',
        line2: null,
        city: 'Leeds',
        postalCode: 'LS1',
        countryCode: 'GB',
      },
    };
    const relations = {
      customer: await named('Customer', 'Baker & Sons'),
      vendor: await named('Vendor', 'ACME Supplies'),
      purchaseOrder: await coded('PurchaseOrder', 'PO-1001'),
      fromLocation: await named('Location', 'Warehouse HAM-A'),
      toLocation: await named('Location', 'Warehouse STD-A'),
      weightUnit: await coded('Unit', 'KG'),
      currency: await coded('Currency', 'EUR'),
      preparedBy: await named('Employee', 'Maria Keller'),
    };
    const line = {
      line: 5,
      description: 'Bolts',
      quantity: 3,
      lotNumber: 'L-1',
      serialNumbers: ['A 1', 'B 2'],
      packageNumber: '1',
    };
    const item = await named('Item', 'Hex bolt M8 × 40');
    const key = await create('Shipment', {
      ...header,
      ...relations,
      lines: [{ ...line, item, unit: await coded('Unit', 'STK') }],
    });
    const { values, references } = await sandbox.record('Shipment', key);
    expect(values).toMatchObject({ ...header, statusCategory: 'draft', deliveredAt: null });
    for (const [name, target] of Object.entries(relations)) {
      const found = references[name] as { by: '_idValue' | 'code'; value: string };
      expect({ [name]: found.value }).toEqual({ [name]: target[found.by] });
    }
    expect(await sandbox.record('ShipmentLine', `${key}/5`)).toMatchObject({
      values: line,
      references: { item: { value: '30118' }, unit: { value: 'STK' }, salesOrderLine: null },
    });
  });

  test('that is sent updates its sales order, and is delivered once', async () => {
    const order = await confirmed();
    const key = await create('Shipment', {
      salesOrder: made('SalesOrder', order),
      shippedAt: `${day(12)}T14:10:00Z`,
      lines: [
        {
          item: await named('Item', 'Hex bolt M8 × 40'),
          salesOrderLine: made('SalesOrderLine', `${order}/1`),
          quantity: 100,
        },
      ],
    });
    expect(await sandbox.record('Shipment', key)).toMatchObject({
      values: { statusCategory: 'in_transit', direction: 'outbound' },
      references: { customer: { value: '2007' } },
    });
    expect((await sandbox.record('SalesOrder', order)).values.statusCategory).toBe('partially_shipped');
    const arrived = await act('Shipment', key, 'complete', {
      deliveredAt: `${day(14)}T09:40:00Z`,
      receivedBy: 'H. Baker',
      note: 'One box dented',
    });
    expect(arrived.values).toMatchObject({
      statusCategory: 'delivered',
      deliveredAt: `${day(14)}T09:40:00.000Z`,
      receivedBy: 'H. Baker',
    });
    await expect(act('Shipment', key, 'complete')).rejects.toMatchObject(refusal(/^LI-050/));
  });

  test('of a draft sales order is refused', async () => {
    const order = await fresh();
    const lines = [
      {
        item: await named('Item', 'Hex bolt M8 × 40'),
        salesOrderLine: made('SalesOrderLine', `${order}/1`),
        quantity: 1,
      },
    ];
    const early = create('Shipment', { salesOrder: made('SalesOrder', order), lines });
    await expect(early).rejects.toMatchObject(refusal(/^LI-043: sales order SO-\d+ has status 10/));
  });
});

test('the orders and shipments of the company are consistent with its rules', async () => {
  const client = new pg.Client({ connectionString: sandbox.url, options: '-c search_path=erp' });
  await client.connect();
  try {
    await client.query(
      `CREATE TEMP TABLE orders AS SELECT vknr, status, vers_status, netto_ct, pos_rabatt_ct, pos_ust_ct, date_trunc('minute', versandt) AS versandt
         FROM vkkopf WHERE vknr % 4 = 0 AND vknr < 790001;
       CREATE TEMP TABLE positions AS SELECT vknr, posnr, ust, mg_versand, mg_rueckstand FROM vkpos WHERE vknr % 4 = 0 AND vknr < 790001;
       UPDATE vkpos SET menge = menge WHERE vknr IN (SELECT vknr FROM orders);
       UPDATE vkkopf SET status = vk_status(vknr) WHERE status IN ('20', '30', '40', '50') AND vknr IN (SELECT vknr FROM orders)`,
    );
    const orders = await client.query(
      `TABLE orders EXCEPT SELECT vknr, status, vers_status, netto_ct, pos_rabatt_ct, pos_ust_ct, date_trunc('minute', versandt) FROM vkkopf`,
    );
    const positions = await client.query(
      'TABLE positions EXCEPT SELECT vknr, posnr, ust, mg_versand, mg_rueckstand FROM vkpos',
    );
    expect([orders.rows, positions.rows]).toEqual([[], []]);
  } finally {
    await client.end();
  }
});
