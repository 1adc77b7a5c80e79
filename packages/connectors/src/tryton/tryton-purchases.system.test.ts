import { describe, expect, test } from 'vitest';
import { idOf, reference, rejected, trytonOfFile } from '../../test/running-tryton.ts';
import { ROW_KEY, type Row } from '../driver.ts';

const { tryton, connection } = await trytonOfFile();
const vendor = String(await idOf(tryton, 'party.party', 'code', 'V001'));
const item = await idOf(tryton, 'product.product', 'code', 'PUMP-1');
const itemWithoutAccount = await idOf(tryton, 'product.product', 'code', 'NO-ACCOUNT');
const unit = await idOf(tryton, 'product.uom', 'symbol', 'u');

describe('a purchase order', () => {
  const order = (): Row => ({ vendor: reference('Vendor', vendor), lines: [line()] });
  const line = (): Row => ({
    item: reference('Item', item),
    quantity: 3,
    unitPrice: 151.25,
    unit: reference('Unit', unit),
  });

  test('is created with header and lines, and read back unchanged', async () => {
    const head = {
      title: 'Pumps for hall B',
      reference: 'Q-7781',
      notes: 'Looking for a second source',
      orderDate: '2026-11-20',
      expectedDeliveryDate: '2026-12-02',
      terms: 'Net 60',
    };
    const description = 'Pump, painted blue';
    const euro = await idOf(tryton, 'currency.currency', 'code', 'EUR');
    const currency = reference('Currency', euro);
    const lines = [
      { ...line(), line: 1, description, notes: 'Same batch' },
      { line: 2, lineType: 'comment', description: 'Thanks' },
    ];
    const key = await connection.create('PurchaseOrder', { ...order(), ...head, currency, lines });
    const read = await connection.read('PurchaseOrder', key);
    expect(read).toMatchObject({
      ...head,
      statusCategory: 'draft',
      vendor: { entity: 'Vendor', value: vendor },
      currency: { entity: 'Currency', value: String(euro) },
      subtotal: 453.75,
    });
    const keys = ((read?.lines ?? []) as { value: string }[]).map(({ value }) => value);
    expect(await connection.read('PurchaseOrderLine', keys[0] ?? '')).toMatchObject({
      line: 1,
      lineType: 'item',
      quantity: 3,
      unitPrice: 151.25,
      total: 453.75,
      description,
      notes: 'Same batch',
      item: { entity: 'Item', value: String(item) },
      unit: { entity: 'Unit', value: String(unit) },
      purchaseOrder: { entity: 'PurchaseOrder', value: key },
      statusCategory: 'open',
    });
    expect(await connection.read('PurchaseOrderLine', keys[1] ?? '')).toMatchObject({
      line: 2,
      lineType: 'comment',
      quantity: 0,
      description: 'Thanks',
    });
  });

  test('is completed as in the client of Tryton: address, unit, price and taxes', async () => {
    const supplied = reference('Item', await idOf(tryton, 'product.product', 'code', 'BOLT-M8'));
    const lines = [{ item: supplied, quantity: 20 }];
    const key = await connection.create('PurchaseOrder', { ...order(), lines });
    const fields = [
      'invoice_address.party',
      'currency.code',
      'warehouse.code',
      'lines.unit',
      'lines.unit_price',
      'lines.taxes',
      'tax_amount',
    ];
    expect(await tryton.rpc.one('purchase.purchase', [['id', '=', Number(key)]], fields)).toMatchObject({
      'invoice_address.': { party: Number(vendor) },
      'currency.': { code: 'USD' },
      'warehouse.': { code: 'WH' },
      'lines.': [{ unit, unit_price: { decimal: '2.5000' }, taxes: [1] }],
      tax_amount: { decimal: '4.00' },
    });
  });

  test('goes from draft through submit and approve to processing, and gets its number from Tryton', async () => {
    const key = await connection.create('PurchaseOrder', order());
    await connection.act('PurchaseOrder', key, 'submit');
    expect(await connection.read('PurchaseOrder', key)).toMatchObject({ statusCategory: 'pending_approval' });
    await connection.act('PurchaseOrder', key, 'approve');
    const read = await connection.read('PurchaseOrder', key);
    expect(read).toMatchObject({ statusCategory: 'approved', approvedBy: { entity: 'Employee', value: '1' } });
    expect(read?.code).toMatch(/^\d+$/);
    expect(
      await tryton.rpc.search('stock.move', [
        ['origin.id', '>', 0, 'purchase.line'],
        ['product', '=', item],
      ]),
    ).not.toEqual([]);
  });

  test('is cancelled and reopened', async () => {
    const key = await connection.create('PurchaseOrder', order());
    await connection.act('PurchaseOrder', key, 'cancel', { note: 'No place for this in Tryton' });
    expect(await connection.read('PurchaseOrder', key)).toMatchObject({ statusCategory: 'cancelled' });
    await connection.act('PurchaseOrder', key, 'reopen');
    expect(await connection.read('PurchaseOrder', key)).toMatchObject({ statusCategory: 'draft' });
    await connection.act('PurchaseOrder', key, 'set-status', { statusCategory: 'pending_approval' });
    expect(await connection.read('PurchaseOrder', key)).toMatchObject({ statusCategory: 'pending_approval' });
  });

  test('is rejected if it cannot take a step, which Tryton 6.0 ignores silently', async () => {
    const key = await connection.create('PurchaseOrder', order());
    const approving = connection.act('PurchaseOrder', key, 'approve');
    await expect(approving).rejects.toMatchObject(
      rejected(/"confirm" has no effect on a purchase.purchase in state "draft"|can not call "confirm"/),
    );
    expect(await connection.read('PurchaseOrder', key)).toMatchObject({ statusCategory: 'draft' });
  });

  test('of an item without account is rejected when Tryton processes it, and can be approved again afterwards', async () => {
    const lines = [{ ...line(), item: reference('Item', itemWithoutAccount) }];
    const key = await connection.create('PurchaseOrder', { ...order(), lines });
    await connection.act('PurchaseOrder', key, 'submit');
    const approving = () => connection.act('PurchaseOrder', key, 'approve');
    const words = '^There is no "Account Category" defined for "\\[NO-ACCOUNT\\] Unaccounted thing".$';
    await expect(approving()).rejects.toMatchObject(rejected(words));
    const { template } = await tryton.rpc.one('product.product', [['id', '=', itemWithoutAccount]], ['template']);
    await tryton.rpc.write('product.template', Number(template), { account_category: 1 });
    await approving();
    expect(await tryton.rpc.one('purchase.purchase', [['id', '=', Number(key)]], ['state'])).toMatchObject({
      state: 'processing',
    });
  });

  test('with a price of too many digits is rejected, and nothing is stored', async () => {
    const before = await tryton.rpc.call('purchase.purchase', 'search_count', []);
    const creating = connection.create('PurchaseOrder', {
      ...order(),
      lines: [line(), { ...line(), unitPrice: 1.2345678 }],
    });
    await expect(creating).rejects.toMatchObject(rejected('number of digits .* "Unit Price"'));
    expect(await tryton.rpc.call('purchase.purchase', 'search_count', [])).toBe(before);
  });

  test('can get other lines', async () => {
    const key = await connection.create('PurchaseOrder', order());
    await connection.update('PurchaseOrder', key, {
      lines: [
        { ...line(), quantity: 7 },
        { ...line(), quantity: 8 },
      ],
    });
    const kept = await tryton.rpc.search('purchase.line', [['purchase', '=', Number(key)]], ['quantity']);
    expect(kept.map(({ quantity }) => quantity)).toEqual([7, 8]);
  });

  test('keeps the rows of lines that are named, changes one, adds one and removes one', async () => {
    const quantities = [1, 2, 3];
    const key = await connection.create('PurchaseOrder', {
      ...order(),
      lines: quantities.map((quantity) => ({ ...line(), quantity })),
    });
    const held = async () => {
      const read = await connection.read('PurchaseOrder', key);
      return ((read?.lines ?? []) as { value: string }[]).map(({ value }) => value);
    };
    const [first = '', second = '', third = ''] = await held();
    const lines = [{ [ROW_KEY]: first }, { [ROW_KEY]: third, quantity: 30 }, { ...line(), quantity: 4 }];
    await connection.update('PurchaseOrder', key, { lines });
    const after = await held();
    expect(after).toEqual([first, third, expect.any(String)]);
    expect(await connection.read('PurchaseOrderLine', first)).toMatchObject({ quantity: 1, unitPrice: 151.25 });
    expect(await connection.read('PurchaseOrderLine', third)).toMatchObject({ quantity: 30, unitPrice: 151.25 });
    expect(await connection.read('PurchaseOrderLine', after[2] ?? '')).toMatchObject({ quantity: 4 });
    const gone = connection.update('PurchaseOrder', key, { lines: [{ [ROW_KEY]: second, quantity: 1 }] });
    await expect(gone).rejects.toMatchObject({ kind: 'rejected' });
  });

  test('completes replaced lines like the first ones: unit, price of the vendor and taxes', async () => {
    const usd = reference('Currency', await idOf(tryton, 'currency.currency', 'code', 'USD'));
    const key = await connection.create('PurchaseOrder', { ...order(), currency: usd });
    const bolt = reference('Item', await idOf(tryton, 'product.product', 'code', 'BOLT-M8'));
    await connection.update('PurchaseOrder', key, { lines: [{ item: bolt, quantity: 40 }] });
    const kept = await tryton.rpc.search(
      'purchase.line',
      [['purchase', '=', Number(key)]],
      ['unit', 'unit_price', 'quantity', 'taxes'],
    );
    expect(kept).toMatchObject([{ quantity: 40, unit, unit_price: { decimal: '2.5000' }, taxes: [1] }]);
  });

  test('can be deleted as long as Tryton can cancel it, even if it is already deleted', async () => {
    const stream = connection.stream('purchase.purchase');
    const { id } = await tryton.rpc.one('purchase.purchase', [['state', '=', 'processing']]);
    await expect(connection.driver.writes.remove(stream, String(id), connection.intent)).rejects.toMatchObject(
      rejected('you must cancel it'),
    );
    const key = await connection.create('PurchaseOrder', order());
    await connection.driver.writes.remove(stream, key, connection.intent);
    expect(await connection.driver.read(stream, key)).toBeNull();
    await connection.driver.writes.remove(stream, key, connection.intent);
  });
});
