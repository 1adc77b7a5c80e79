import type { Row } from '@unified/connectors';
import type { Reference } from '@unified/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { day } from './day.ts';
import { desk, meant } from './desk.ts';
import { type Sandbox, startSandbox } from './sandbox.ts';

let sandbox: Sandbox;
const { create, act, approve, named, coded } = desk(() => sandbox);

beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());

describe('a purchase order', () => {
  async function fresh(more: Row = {}): Promise<string> {
    return create('PurchaseOrder', {
      title: 'Fasteners for December',
      vendor: await named('Vendor', 'ACME Supplies'),
      orderDate: day(0),
      lines: [
        { item: await named('Item', 'Hex bolt M8 × 40'), quantity: 500, unitPrice: 0.11, requiredDate: day(14) },
        { lineType: 'freight', description: 'Freight', quantity: 1, unitPrice: 12.5 },
      ],
      ...more,
    });
  }
  const lineOf = async (key: string, line: number) => ({
    ...(await coded('Unit', 'STK')),
    entity: 'PurchaseOrderLine',
    _idValue: `${key}/${line}`,
  });

  test('gets number, currency and totals from the system, and its lines are records', async () => {
    const key = await fresh();
    const { values, references } = await sandbox.record('PurchaseOrder', key);
    expect(values).toMatchObject({
      code: expect.stringMatching(/^PO-\d+$/),
      statusCategory: 'draft',
      orderDate: day(0),
      subtotal: 67.5,
      taxTotal: 12.83,
      total: 80.33,
    });
    expect(references.currency).toMatchObject({ value: expect.stringMatching(/^[A-Z]{3}$/) });
    expect(references.lines).toEqual(
      [1, 2].map((line) => ({ entity: 'PurchaseOrderLine', by: '_idValue', value: `${key}/${line}` })),
    );
    expect(await sandbox.record('PurchaseOrderLine', `${key}/1`)).toMatchObject({
      values: {
        line: 1,
        lineType: 'item',
        description: 'Hex bolt M8 × 40',
        quantity: 500,
        unitPrice: 0.11,
        total: 55,
        requiredDate: day(14),
        statusCategory: 'open',
      },
      references: { purchaseOrder: { value: key }, unit: { value: 'STK' }, item: { value: '30118' } },
    });
  });

  test.each([
    ['a percentage', { discountPercent: 10, shippingCost: 20 }, { subtotal: 1100, taxTotal: 188.1, total: 1198.1 }],
    ['an amount', { discountAmount: 100, shippingCost: 20 }, { subtotal: 1100, taxTotal: 190, total: 1210 }],
    [
      'a percentage of prices with tax',
      { discountPercent: 10, isTaxInclusive: true },
      { subtotal: 1100, taxTotal: 158.07, total: 990 },
    ],
  ])('is reduced by %s, with its tax, and its invoice has the same totals', async (_, terms, totals) => {
    const lines = [
      { description: 'Jig', quantity: 10, unitPrice: 100 },
      { description: 'Template', quantity: 1, unitPrice: 155, discountAmount: 55 },
    ];
    const key = await fresh({ ...terms, lines });
    expect((await sandbox.record('PurchaseOrder', key)).values).toMatchObject({ ...terms, ...totals });
    await approve('PurchaseOrder', key);
    const { references } = await act('PurchaseOrder', key, 'convert', { target: 'invoice' });
    const [made] = references.invoices as readonly Reference[];
    const { subtotal, total, taxTotal } = (await sandbox.record('Invoice', made?.value ?? '')).values;
    expect({ subtotal, taxTotal, total }).toEqual(totals);
  });

  test('accepts every field of its header and lines', async () => {
    const [place, account] = [await named('Location', 'Storeroom HAM-A'), await coded('Account', '5030')];
    const tags = [await coded('Taxonomy', 'X-OPEX'), await coded('Taxonomy', 'X-ENER')];
    const line = {
      line: 10,
      lineType: 'service',
      description: 'Welding',
      vendorPartNumber: 'AC-1',
      quantity: 2,
      unit: await coded('Unit', 'H'),
      unitPrice: 60,
      discountPercent: 5,
      discountAmount: 1,
      requiredDate: day(11),
      promisedDate: day(12),
      deliveryLocation: place,
      account,
      taxonomies: tags,
      notes: 'Bring own tools',
    };
    const header = {
      code: 'PO-T1',
      memo: 'Before noon',
      notes: 'n',
      terms: 'Net 14',
      incoterm: 'DAP',
      shippingMethod: 'Truck',
      shipVia: 'Own',
      reference: 'R1',
      isTaxInclusive: false,
      exchangeRate: 1,
      discountPercent: 1.5,
      discountAmount: 2,
      shippingCost: 9.9,
      expectedDeliveryDate: day(13),
      requiredDate: day(11),
      deliveryAddress: {
        addressee: 'Gate 3',
        line1: 'Hafenstr. 4',
        city: 'Hamburg',
        postalCode: '20457',
        countryCode: 'DE',
      },
    };
    const key = await fresh({ ...header, deliveryLocation: place, account, taxonomies: tags, lines: [line] });
    const order = await sandbox.record('PurchaseOrder', key);
    expect(order.values).toMatchObject(header);
    expect(order.references).toMatchObject({
      deliveryLocation: { value: place._idValue },
      taxonomies: [{ value: 'X-OPEX' }, { value: 'X-ENER' }],
    });
    const { deliveryLocation, account: booked, unit, taxonomies, ...plain } = line;
    const kept = await sandbox.record('PurchaseOrderLine', `${key}/10`);
    expect(kept.values).toMatchObject({ ...plain, total: 113 });
    expect(kept.references).toMatchObject({
      deliveryLocation: { value: deliveryLocation._idValue },
      account: { value: booked._idValue },
      unit: { value: unit.code },
      taxonomies: taxonomies.map(({ code }) => ({ value: code })),
    });
  });

  test('goes from draft through partial delivery to closed, and can be reopened', async () => {
    const key = await fresh();
    expect((await act('PurchaseOrder', key, 'submit')).values.statusCategory).toBe('pending_approval');
    expect((await act('PurchaseOrder', key, 'approve', { note: 'Within budget' })).values).toMatchObject({
      statusCategory: 'approved',
      approvedAt: expect.any(String),
    });
    const some = await act('PurchaseOrder', key, 'receive', {
      receivedAt: `${day(12)}T09:20:00Z`,
      lines: [
        {
          line: await lineOf(key, 1),
          quantity: 200,
          rejectedQuantity: 5,
          lotNumber: 'L-2611',
          serialNumbers: ['A', 'B'],
        },
      ],
    });
    expect(some.values).toMatchObject({ statusCategory: 'partially_received', completedAt: null });
    expect((await sandbox.record('PurchaseOrderLine', `${key}/1`)).values).toMatchObject({
      receivedQuantity: 200,
      rejectedQuantity: 5,
      statusCategory: 'partially_received',
    });
    const [receipt] = some.references.receipts as readonly Reference[];
    expect(await sandbox.record('ReceiptLine', `${receipt?.value}/1`)).toMatchObject({
      values: { receivedQuantity: 200, acceptedQuantity: 195, lotNumber: 'L-2611', serialNumbers: ['A', 'B'] },
      references: { purchaseOrderLine: { value: `${key}/1` } },
    });
    const all = await act('PurchaseOrder', key, 'receive', { note: 'Rest' });
    expect(all.values).toMatchObject({
      statusCategory: 'received',
      receivedPercent: 100,
      completedAt: expect.any(String),
    });
    expect((await act('PurchaseOrder', key, 'close')).values.statusCategory).toBe('closed');
    const late = sandbox.driver.writes.update(
      sandbox.stream('PurchaseOrder'),
      key,
      { kopftext: 'x' },
      sandbox.intent(),
    );
    await expect(late).rejects.toMatchObject({ words: expect.stringMatching(/^BE-030/) });
    expect((await act('PurchaseOrder', key, 'reopen', { note: 'Still billed' })).values.statusCategory).toBe(
      'received',
    );
  });

  test('is cancelled with its lines, and reopened unchanged', async () => {
    const key = await fresh();
    await expect(act('PurchaseOrder', key, 'cancel', {})).rejects.toMatchObject({ kind: 'rejected' });
    expect(
      (await act('PurchaseOrder', key, 'cancel', { reason: await named('Taxonomy', 'Duplicate') })).values
        .statusCategory,
    ).toBe('cancelled');
    expect((await sandbox.record('PurchaseOrderLine', `${key}/1`)).values.statusCategory).toBe('cancelled');
    expect((await act('PurchaseOrder', key, 'reopen')).values.statusCategory).toBe('draft');
    expect((await sandbox.record('PurchaseOrderLine', `${key}/1`)).values.statusCategory).toBe('open');
  });

  test('can get other lines, unless goods have arrived for them', async () => {
    const key = await fresh();
    const lines = [{ item: await named('Item', 'Hex bolt M8 × 40'), quantity: 750 }];
    const { values } = sandbox.mapping('PurchaseOrder').write({ lines, memo: 'More' }, { op: 'update' });
    await sandbox.driver.writes.update(sandbox.stream('PurchaseOrder'), key, values, sandbox.intent());
    const changed = await sandbox.record('PurchaseOrder', key);
    expect(changed).toMatchObject({
      values: { memo: 'More', subtotal: 82.5 },
      references: { lines: [{ value: `${key}/1` }] },
    });
    await approve('PurchaseOrder', key);
    await act('PurchaseOrder', key, 'receive', { lines: [{ line: await lineOf(key, 1), quantity: 10 }] });
    const refused = sandbox.driver.writes.update(sandbox.stream('PurchaseOrder'), key, values, sandbox.intent());
    await expect(refused).rejects.toMatchObject({
      kind: 'rejected',
      words: expect.stringMatching(/^BE-031: line 1/),
    });
  });

  test('is not changed after it is approved, nor its vendor or quantities after goods have arrived', async () => {
    const key = await fresh();
    const change = (input: Row) =>
      sandbox.driver.writes.update(
        sandbox.stream('PurchaseOrder'),
        key,
        sandbox.mapping('PurchaseOrder').write(input, { op: 'update' }).values,
        sandbox.intent(),
      );
    const refusal = (words: RegExp) => ({ kind: 'rejected', words: expect.stringMatching(words) });
    const lines = async (quantity: number) => [
      { line: 1, item: await named('Item', 'Hex bolt M8 × 40'), quantity, unitPrice: 0.11 },
      { line: 2, lineType: 'freight', description: 'Freight', quantity: 1, unitPrice: 12.5 },
    ];
    await approve('PurchaseOrder', key);
    await expect(change({ discountPercent: 5 })).rejects.toMatchObject(refusal(/^BE-033: .* set its status to draft/));
    await change({ notes: 'Call before delivery' });
    await act('PurchaseOrder', key, 'receive', { lines: [{ line: await lineOf(key, 1), quantity: 300 }] });
    const other = await coded('Vendor', 'V-1043');
    await expect(change({ vendor: other })).rejects.toMatchObject(refusal(/^BE-034: .* has receipts or bills/));
    await expect(change({ lines: await lines(200) })).rejects.toMatchObject(refusal(/^BE-03\d/));
  });

  test('becomes received only by receipts, and finished ones are reopened first', async () => {
    const key = await fresh();
    const set = (statusCategory: string) => act('PurchaseOrder', key, 'set-status', { statusCategory });
    const refusal = (words: RegExp) => ({ kind: 'rejected', words: expect.stringMatching(words) });
    await expect(set('received')).rejects.toMatchObject(refusal(/^BE-058: .* receive the goods instead$/));
    expect((await approve('PurchaseOrder', key)).values).toMatchObject({
      approvedAt: expect.any(String),
      receivedPercent: 0,
    });
    expect((await set('draft')).values).toMatchObject({ statusCategory: 'draft', approvedAt: null });
    await approve('PurchaseOrder', key);
    await act('PurchaseOrder', key, 'receive', { lines: [{ line: await lineOf(key, 1), quantity: 300 }] });
    await expect(set('draft')).rejects.toMatchObject(refusal(/^BE-060: .* can only be closed$/));
    expect((await act('PurchaseOrder', key, 'close')).values).toMatchObject({
      statusCategory: 'closed',
      closedAt: expect.any(String),
    });
    await expect(set('approved')).rejects.toMatchObject(refusal(/^BE-059: .* reopen it first$/));
  });

  test('gets a status that an action leads to only by that action', async () => {
    const key = await fresh();
    const set = (input: Row) => act('PurchaseOrder', key, 'set-status', input);
    const refusal = (words: RegExp) => ({ kind: 'rejected', words: expect.stringMatching(words) });
    const sent = { status: await named('Status', 'Sent to vendor') };
    const approved = { statusCategory: 'approved' };
    await expect(set({ statusCategory: 'pending_approval' })).rejects.toMatchObject(refusal(/^BE-062: .* submit it /));
    await expect(set(approved)).rejects.toMatchObject(refusal(/^BE-062: .* status E; submit and approve it /));
    await expect(set(sent)).rejects.toMatchObject(refusal(/^BE-063: .* sent after it was approved/));
    await act('PurchaseOrder', key, 'submit');
    await expect(set(approved)).rejects.toMatchObject(refusal(/^BE-062: .* status V; approve it /));
    await expect(set(sent)).rejects.toMatchObject(refusal(/^BE-063/));
    await act('PurchaseOrder', key, 'approve');
    expect((await set(sent)).references.status).toMatchObject({ value: 'BES/G' });
    expect((await set(approved)).references.status).toMatchObject({ value: 'BES/F' });
    await expect(set({ statusCategory: 'closed' })).rejects.toMatchObject(refusal(/^BE-062: .* close it /));
    await expect(set({ statusCategory: 'cancelled' })).rejects.toMatchObject(refusal(/^BE-062: .* cancel it /));
  });

  test('is not submitted with a negative total', async () => {
    const key = await fresh({ discountAmount: 100_000 });
    await expect(act('PurchaseOrder', key, 'submit')).rejects.toMatchObject({
      kind: 'rejected',
      words: expect.stringMatching(/^BE-015: .* has a total of -.* reduce its discounts first$/),
    });
  });

  test('has prices and receipts in the packages of its item, and refuses units and decimals that do not fit', async () => {
    const refusal = (words: RegExp) => ({ kind: 'rejected', words: expect.stringMatching(words) });
    const unit = await coded('Unit', 'PAK');
    const created = async (unitConversions: readonly Row[]) => {
      const own = {
        name: 'Seal kit',
        itemType: 'part',
        unit: await coded('Unit', 'STK'),
        purchasePrice: 1.74,
        isTracked: true,
        unitConversions,
      };
      const key = await create('Item', own);
      return { entity: 'Item', _idValue: key };
    };
    const packed = await created([{ unit: meant('Unit', 'PAK'), factor: 10 }]);
    const [place, loose] = [await named('Location', 'Storeroom HAM-A'), await created([])];
    const key = await fresh({ deliveryLocation: place, lines: [{ item: packed, quantity: 2, unit }] });
    expect((await sandbox.record('PurchaseOrderLine', `${key}/1`)).values).toMatchObject({
      unitPrice: 17.4,
      total: 34.8,
    });
    await approve('PurchaseOrder', key);
    await act('PurchaseOrder', key, 'receive');
    expect((await sandbox.record('Item', packed._idValue)).values.quantityOnHand).toBe(20);
    const other = fresh({ lines: [{ item: loose, quantity: 2, unit }] });
    await expect(other).rejects.toMatchObject(refusal(/^EH-010: .* PAK cannot be converted/));
    const half = fresh({ lines: [{ item: loose, quantity: 0.5 }] });
    await expect(half).rejects.toMatchObject(refusal(/^EH-011: a quantity in STK has at most 0 decimals/));
  });

  test('keeps its status and vendor while it is on a draft bill', async () => {
    const key = await fresh();
    const refusal = (words: RegExp) => ({ kind: 'rejected', words: expect.stringMatching(words) });
    await approve('PurchaseOrder', key);
    await act('PurchaseOrder', key, 'convert', { target: 'invoice' });
    const draft = act('PurchaseOrder', key, 'set-status', { statusCategory: 'draft' });
    await expect(draft).rejects.toMatchObject(refusal(/^BE-060: .* can only be closed$/));
    const { values } = sandbox
      .mapping('PurchaseOrder')
      .write({ vendor: await coded('Vendor', 'V-1043') }, { op: 'update' });
    const moved = sandbox.driver.writes.update(sandbox.stream('PurchaseOrder'), key, values, sandbox.intent());
    await expect(moved).rejects.toMatchObject(refusal(/^BE-034: .* has receipts or bills/));
  });

  test('is converted once to a receipt of the outstanding quantities', async () => {
    const key = await fresh();
    await expect(act('PurchaseOrder', key, 'convert', { target: 'receipt' })).rejects.toMatchObject({
      words: expect.stringMatching(/^BE-056: .* has status E and cannot be converted to a receipt$/),
    });
    await approve('PurchaseOrder', key);
    await act('PurchaseOrder', key, 'receive', { lines: [{ line: await lineOf(key, 1), quantity: 200 }] });
    const { values, references } = await act('PurchaseOrder', key, 'convert', { target: 'receipt', note: 'All here' });
    expect(values).toMatchObject({ statusCategory: 'received' });
    const [, last] = references.receipts as readonly Reference[];
    expect(await sandbox.record('Receipt', last?.value ?? '')).toMatchObject({
      values: { statusCategory: 'posted', notes: 'All here', subtotal: 45.5 },
      references: { purchaseOrder: { value: key }, lines: [{}, {}] },
    });
    await expect(act('PurchaseOrder', key, 'convert', { target: 'receipt' })).rejects.toMatchObject({
      words: expect.stringMatching(/^BE-043: nothing is outstanding/),
    });
  });

  test('is billed for what arrived, by receipt, and for services as ordered', async () => {
    const key = await fresh();
    await approve('PurchaseOrder', key);
    const bill = async () => {
      const { references } = await act('PurchaseOrder', key, 'convert', { target: 'invoice' });
      const invoice = (references.invoices as readonly Reference[]).at(-1)?.value ?? '';
      const lines = (await sandbox.record('Invoice', invoice)).references.lines as readonly Reference[];
      const records = await Promise.all(lines.map(({ value }) => sandbox.record('InvoiceLine', value)));
      const receiptOf = ({ references }: (typeof records)[number]) =>
        (references.receiptLine as Reference | null)?.value;
      return records.map((record) => [record.values.quantity, receiptOf(record) ?? null]);
    };
    expect(await bill()).toEqual([[1, null]]);
    const nothing = { words: expect.stringMatching(/^BE-061: .* receive the goods first$/) };
    await expect(bill()).rejects.toMatchObject(nothing);
    const receive = async (quantity: number, rejectedQuantity = 0) => {
      const lines = [{ line: await lineOf(key, 1), quantity, rejectedQuantity }];
      const { references } = await act('PurchaseOrder', key, 'receive', { lines });
      return `${(references.receipts as readonly Reference[]).at(-1)?.value}/1`;
    };
    const first = await receive(200);
    expect(await bill()).toEqual([[200, first]]);
    await expect(bill()).rejects.toMatchObject(nothing);
    const [second, third] = [await receive(150, 10), await receive(100)];
    expect(await bill()).toEqual([
      [140, second],
      [100, third],
    ]);
    expect((await sandbox.record('PurchaseOrderLine', `${key}/1`)).values).toMatchObject({ billedQuantity: 0 });
  });

  test('without a location is on order where most of the item is stored, unless it is delivered to a customer', async () => {
    const onOrder = async () => {
      const levels = (await sandbox.records('StockLevel')).filter(
        ({ references }) => (references.item as Reference).value === '30118',
      );
      return levels.reduce((sum, { values }) => sum + Number(values.onOrder), 0);
    };
    const before = await onOrder();
    const direct = await fresh({ customer: await named('Customer', 'Baker & Sons') });
    await approve('PurchaseOrder', direct);
    expect(await onOrder()).toBe(before);
    const key = await fresh();
    expect(await onOrder()).toBe(before);
    await approve('PurchaseOrder', key);
    expect(await onOrder()).toBe(before + 500);
    await act('PurchaseOrder', key, 'receive', { lines: [{ line: await lineOf(key, 1), quantity: 200 }] });
    expect(await onOrder()).toBe(before + 300);
    await act('PurchaseOrder', key, 'close');
    expect(await onOrder()).toBe(before);
  });

  test('shows what arrived and was billed in percent of its value', async () => {
    const key = await fresh();
    await approve('PurchaseOrder', key);
    const { values } = await act('PurchaseOrder', key, 'receive', {
      lines: [{ line: await lineOf(key, 2), quantity: 1 }],
    });
    expect(values).toMatchObject({ receivedPercent: 18.5, billedPercent: 0 });
  });

  test('receives at most the ordered quantity, and only for its own lines', async () => {
    const [key, other] = [await fresh(), await fresh()];
    await approve('PurchaseOrder', key);
    await act('PurchaseOrder', key, 'set-status', { status: await named('Status', 'Sent to vendor') });
    const tooMuch = act('PurchaseOrder', key, 'receive', { lines: [{ line: await lineOf(key, 1), quantity: 5_000 }] });
    await expect(tooMuch).rejects.toMatchObject({
      words: expect.stringMatching(/^BE-042: .* arrived, but only 500\.000 were ordered$/),
    });
    const foreign = act('PurchaseOrder', key, 'receive', { lines: [{ line: await lineOf(other, 1), quantity: 1 }] });
    await expect(foreign).rejects.toMatchObject({ words: expect.stringMatching(/^BE-041/) });
    expect((await sandbox.record('PurchaseOrder', key)).values.statusCategory).toBe('approved');
  });

  test('is refused for a blocked vendor or item', async () => {
    const blocked = (await sandbox.records('Vendor')).find(({ values }) => values.isActive === false);
    const vendor = await sandbox.resolve({ entity: 'Vendor', by: '_idValue', value: blocked?._idValue ?? '' });
    await expect(fresh({ vendor })).rejects.toMatchObject({
      kind: 'rejected',
      words: expect.stringMatching(/^LF-017: vendor V-\d+ .* is blocked for purchase orders$/),
    });
    const stopped = (await sandbox.records('Item')).find(({ values }) => values.isActive === false);
    const item = await sandbox.resolve({ entity: 'Item', by: '_idValue', value: stopped?._idValue ?? '' });
    await expect(fresh({ lines: [{ item, quantity: 1 }] })).rejects.toMatchObject({
      words: expect.stringMatching(/^AR-021/),
    });
  });
});
