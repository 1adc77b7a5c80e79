import type { Row } from '@unified/connectors';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { day } from './day.ts';
import { desk } from './desk.ts';
import { type Sandbox, startSandbox } from './sandbox.ts';

let sandbox: Sandbox;
const { create, replace, act, approve, named, coded } = desk(() => sandbox);

beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());

describe('a receipt', () => {
  const receivedAt = `${day(12)}T09:20:00Z`;

  /** An approved order of 500 bolts. */
  async function order(): Promise<{ key: string; purchaseOrder: Row; line: Row }> {
    const key = await create('PurchaseOrder', {
      vendor: await named('Vendor', 'ACME Supplies'),
      deliveryLocation: await named('Location', 'Storeroom HAM-A'),
      lines: [{ item: await named('Item', 'Hex bolt M8 × 40'), quantity: 500, unitPrice: 0.1, discountPercent: 10 }],
    });
    await approve('PurchaseOrder', key);
    return {
      key,
      purchaseOrder: { entity: 'PurchaseOrder', _idValue: key },
      line: { entity: 'PurchaseOrderLine', _idValue: `${key}/1` },
    };
  }
  async function receive(lines: readonly Row[], more: Row = {}): Promise<string> {
    return create('Receipt', { vendor: await named('Vendor', 'ACME Supplies'), receivedAt, lines, ...more });
  }
  const orderLine = async (key: string) => (await sandbox.record('PurchaseOrderLine', `${key}/1`)).values;

  test('accepts every field of its header and lines', async () => {
    const header = {
      code: 'GR-T1',
      description: 'Second part',
      deliveryNoteNumber: '88213',
      carrier: 'Northern Freight',
      trackingNumber: '1Z9',
      isReturn: false,
      notes: 'One pallet was wet',
    };
    const line = {
      line: 10,
      description: 'Zinc plated',
      receivedQuantity: 200,
      acceptedQuantity: 190,
      rejectedQuantity: 5,
      unitCost: 0.12,
      lotNumber: 'L-2611',
      serialNumbers: ['SN 1', 'SN 2'],
      expiryDate: day(741),
      qualityStatus: 'Released',
      notes: 'Box 3 was open',
    };
    const [store, hall] = [await named('Location', 'Storeroom HAM-A'), await named('Location', 'Storeroom HAM-B')];
    const links = { item: await named('Item', 'Hex bolt M8 × 40'), unit: await coded('Unit', 'STK') };
    const key = await receive([{ ...line, ...links, location: store, rejectedLocation: hall }], {
      ...header,
      organization: await coded('Organization', '010'),
      location: hall,
      receivedBy: await named('Employee', 'Maria Keller'),
      currency: await coded('Currency', 'EUR'),
    });
    expect(await sandbox.record('Receipt', key)).toMatchObject({
      values: {
        ...header,
        receivedAt: `${day(12)}T09:20:00Z`,
        statusCategory: 'posted',
        subtotal: 24,
        taxTotal: 4.56,
        total: 28.56,
      },
      references: {
        vendor: { value: '1042' },
        purchaseOrder: null,
        organization: { value: '010' },
        location: { value: hall._idValue },
        receivedBy: { value: '4711' },
        currency: { value: 'EUR' },
        lines: [{ value: `${key}/10` }],
      },
    });
    expect(await sandbox.record('ReceiptLine', `${key}/10`)).toMatchObject({
      values: { ...line, total: 24, orderedQuantity: null },
      references: {
        receipt: { value: key },
        item: { value: '30118' },
        unit: { value: 'STK' },
        location: { value: store._idValue },
        rejectedLocation: { value: hall._idValue },
      },
    });
  });

  test('updates its purchase order and takes missing fields from it', async () => {
    const { key, purchaseOrder, line } = await order();
    const receipt = await receive([{ purchaseOrderLine: line, receivedQuantity: 200, rejectedQuantity: 5 }], {
      purchaseOrder,
    });
    expect((await sandbox.record('Receipt', receipt)).references.location).toMatchObject({
      value: (await named('Location', 'Storeroom HAM-A'))._idValue,
    });
    expect(await sandbox.record('ReceiptLine', `${receipt}/1`)).toMatchObject({
      values: {
        description: 'Hex bolt M8 × 40',
        acceptedQuantity: 195,
        unitCost: 0.09,
        orderedQuantity: 500,
        total: 18,
      },
      references: { item: { value: '30118' }, purchaseOrderLine: { value: `${key}/1` } },
    });
    expect(await orderLine(key)).toMatchObject({
      receivedQuantity: 200,
      rejectedQuantity: 5,
      statusCategory: 'partially_received',
    });
    await receive([{ purchaseOrderLine: line, receivedQuantity: 300 }], { purchaseOrder });
    expect(await sandbox.record('PurchaseOrder', key)).toMatchObject({
      values: { statusCategory: 'received', completedAt: `${day(12)}T09:20:00.000Z`, receivedPercent: 100 },
      references: { receipts: [{ value: receipt }, {}] },
    });
  });

  test('updates the received quantities when it is replaced', async () => {
    const { key, purchaseOrder, line } = await order();
    const receipt = await receive([{ purchaseOrderLine: line, receivedQuantity: 500 }], {
      purchaseOrder,
      carrier: 'Own lorry',
    });
    const body = {
      vendor: await named('Vendor', 'ACME Supplies'),
      receivedAt,
      purchaseOrder,
      lines: [{ purchaseOrderLine: line, receivedQuantity: 50 }],
    };
    expect((await replace('Receipt', receipt, body)).values).toMatchObject({ carrier: null, subtotal: 4.5 });
    expect(await orderLine(key)).toMatchObject({ receivedQuantity: 50, statusCategory: 'partially_received' });
    expect((await sandbox.record('PurchaseOrder', key)).values).toMatchObject({
      statusCategory: 'partially_received',
      completedAt: null,
    });
  });

  test('of returned goods counts as returned', async () => {
    const { key, purchaseOrder, line } = await order();
    await receive([{ purchaseOrderLine: line, receivedQuantity: 500, rejectedQuantity: 20 }], { purchaseOrder });
    await receive([{ purchaseOrderLine: line, receivedQuantity: 20 }], { purchaseOrder, isReturn: true });
    expect(await orderLine(key)).toMatchObject({ receivedQuantity: 500, rejectedQuantity: 20, returnedQuantity: 20 });
  });

  /** Changes of stock that a document caused: state and quantity by item. */
  const moved = async (entity: string, key: string) =>
    (await sandbox.records('InventoryTransaction'))
      .filter(({ references }) => {
        const source = references.sourceDocument as { entity?: string; value?: string } | null;
        return source?.entity === entity && source.value === key;
      })
      .map(({ values }) => [values.transactionType, values.quantity]);
  const stockOf = async (item: string) =>
    Object.fromEntries(
      (await sandbox.records('StockLevel'))
        .filter(({ references }) => (references.item as { value?: string }).value === item)
        .map(({ values }) => [values.stockStatus, [values.onHand, values.onOrder, values.projected]]),
    );

  test('adds its goods to stock, which was on order before, and blocks what was rejected', async () => {
    const item = await create('Item', {
      name: 'Goods receipt test',
      itemType: 'part',
      unit: await coded('Unit', 'STK'),
    });
    const bolt = { entity: 'Item', id: item, _idValue: item };
    const store = await named('Location', 'Storeroom HAM-A');
    const key = await create('PurchaseOrder', {
      vendor: await named('Vendor', 'ACME Supplies'),
      deliveryLocation: store,
      lines: [{ item: bolt, quantity: 50, unitPrice: 2 }],
    });
    expect(await stockOf(item)).toEqual({});
    await approve('PurchaseOrder', key);
    expect(await stockOf(item)).toEqual({ unrestricted: [0, 50, 50] });
    const line = { entity: 'PurchaseOrderLine', _idValue: `${key}/1` };
    const purchaseOrder = { entity: 'PurchaseOrder', _idValue: key };
    const lines = [{ purchaseOrderLine: line, receivedQuantity: 30, acceptedQuantity: 25, rejectedQuantity: 3 }];
    const receipt = await receive(lines, { purchaseOrder });
    expect(await stockOf(item)).toEqual({
      unrestricted: [25, 20, 45],
      blocked: [3, 0, 3],
      quality_inspection: [2, 0, 2],
    });
    expect(await moved('Receipt', receipt)).toEqual([
      ['receipt', 25],
      ['receipt', 3],
      ['receipt', 2],
    ]);
    const back = [{ purchaseOrderLine: line, receivedQuantity: 5 }];
    const returned = await receive(back, { purchaseOrder, isReturn: true });
    expect(await moved('Receipt', returned)).toEqual([
      ['issue', -3],
      ['issue', -2],
    ]);
    const more = [{ purchaseOrderLine: line, receivedQuantity: 30 }];
    const tooMuch = receive(more, { purchaseOrder, isReturn: true });
    await expect(tooMuch).rejects.toMatchObject({ kind: 'rejected', words: expect.stringMatching(/^BW-012: only 23/) });
  });

  test('that is replaced or refers to another place corrects the stock', async () => {
    const item = await create('Item', { name: 'Correction test', itemType: 'part', unit: await coded('Unit', 'STK') });
    const line = { item: { entity: 'Item', id: item, _idValue: item }, receivedQuantity: 10, unitCost: 2 };
    const vendor = await named('Vendor', 'ACME Supplies');
    const [hall, store] = [await named('Location', 'Storeroom HAM-A'), await named('Location', 'Storeroom HAM-B')];
    const key = await receive([line], { location: hall });
    await replace('Receipt', key, { vendor, receivedAt, location: store, lines: [{ ...line, receivedQuantity: 8 }] });
    const levels = (await sandbox.records('StockLevel')).filter(
      ({ references }) => (references.item as { value?: string }).value === item,
    );
    expect(
      levels.map(({ values, references }) => [(references.location as { value?: string }).value, values.onHand]),
    ).toEqual([
      [hall._idValue, 0],
      [store._idValue, 8],
    ]);
  });

  test('of an item that is tracked by lot needs the lot', async () => {
    const tracking = { itemType: 'inventory', tracking: 'lot', unit: await coded('Unit', 'STK') };
    const item = await create('Item', { name: 'Lot test', ...tracking });
    const line = { item: { entity: 'Item', id: item, _idValue: item }, receivedQuantity: 10, unitCost: 2 };
    const location = await named('Location', 'Storeroom HAM-A');
    await expect(receive([line], { location })).rejects.toMatchObject({
      kind: 'rejected',
      words: expect.stringMatching(/^BW-014: item IT-\d+ is tracked by lot; send the lot/),
    });
    await receive([{ ...line, lotNumber: 'L-1' }], { location });
  });

  test.each([
    [
      'more than was ordered',
      600,
      undefined,
      /^BE-042: line 1 of purchase order PO-\d+: 600\.000 arrived, but only 500\.000 were ordered$/,
    ],
    ['more rejected than arrived', 10, 20, /^WE-013: more was accepted and rejected than received$/],
    ['nothing', 0, undefined, /^WE-012: the quantity of a line must be above zero$/],
  ])('of %s is refused with the message from the system', async (_, receivedQuantity, rejectedQuantity, words) => {
    const { purchaseOrder, line } = await order();
    const refused = receive([{ purchaseOrderLine: line, receivedQuantity, rejectedQuantity }], { purchaseOrder });
    await expect(refused).rejects.toMatchObject({ kind: 'rejected', words: expect.stringMatching(words) });
  });

  test('must belong to a placed order of the same vendor in the same currency, and to its lines', async () => {
    const [{ purchaseOrder }, { line, key }] = [await order(), await order()];
    const foreign = receive([{ purchaseOrderLine: line, receivedQuantity: 1 }], { purchaseOrder });
    await expect(foreign).rejects.toMatchObject({ words: expect.stringMatching(/^WE-014/) });
    const vendor = await sandbox.resolve({ entity: 'Vendor', by: '_idValue', value: '1001' });
    await expect(receive([{ receivedQuantity: 1 }], { purchaseOrder, vendor })).rejects.toMatchObject({
      words: expect.stringMatching(/^WE-005/),
    });
    const currency = await coded('Currency', 'USD');
    await expect(receive([{ receivedQuantity: 1 }], { purchaseOrder, currency })).rejects.toMatchObject({
      words: expect.stringMatching(/^WE-007: purchase order PO-\d+ is in EUR, not in USD$/),
    });
    await act('PurchaseOrder', key, 'close');
    const closed = receive([{ purchaseOrderLine: line, receivedQuantity: 1 }], {
      purchaseOrder: { entity: 'PurchaseOrder', _idValue: key },
    });
    await expect(closed).rejects.toMatchObject({
      words: expect.stringMatching(/^WE-006: purchase order PO-\d+ has status A/),
    });
  });
});
