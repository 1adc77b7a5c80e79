import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Intent, Row } from '../driver.ts';
import { Connection, type RunningTryton, reference, startTryton } from './running-tryton.ts';

let tryton: RunningTryton;
let connection: Connection;
let vendor: string;
let item: number;
let itemWithoutAccount: number;
let unit: number;

beforeAll(async () => {
  tryton = await startTryton();
  connection = new Connection(tryton);
  const idOf = async (model: string, field: string, value: string) =>
    Number((await tryton.rpc.one(model, [[field, '=', value]])).id);
  vendor = String(await idOf('party.party', 'code', 'V001'));
  item = await idOf('product.product', 'code', 'PUMP-1');
  itemWithoutAccount = await idOf('product.product', 'code', 'NO-ACCOUNT');
  unit = await idOf('product.uom', 'symbol', 'u');
}, 300_000);

afterAll(async () => {
  await connection?.driver.close();
  await tryton?.stop();
});

function rejected(words: string | RegExp) {
  return { kind: 'rejected', words: expect.stringMatching(words) };
}

const everything = {
  name: 'Fresh Vendor',
  code: 'V-9001',
  isActive: true,
  terms: 'Net 60',
  taxNumber: 'DE 123',
  email: 'sales@fresh.example',
  phone: '+49 30 987654',
  website: 'https://fresh.example',
  leadTimeDays: 14,
};

describe('a vendor', () => {
  test('that is created with every field reads back equal, and is what Tryton holds', async () => {
    const payable = reference('Account', 6);
    const key = await connection.create('Vendor', { ...everything, accountPayable: payable });
    const account = { entity: 'Account', by: '_idValue', value: '6' };
    expect(await connection.read('Vendor', key)).toMatchObject({ ...everything, accountPayable: account });
    const fields = [
      'name',
      'code',
      'supplier_payment_term.name',
      'email',
      'phone',
      'website',
      'categories.name',
      'identifiers.code',
    ];
    expect(await tryton.rpc.one('party.party', [['id', '=', Number(key)]], fields)).toMatchObject({
      name: 'Fresh Vendor',
      code: 'V-9001',
      email: 'sales@fresh.example',
      phone: '+49 30 987654',
      website: 'https://fresh.example',
      'supplier_payment_term.': { name: 'Net 60' },
      'categories.': [{ name: 'Supplier' }],
      'identifiers.': [{ code: 'DE 123' }],
    });
  });

  test('that is created with a name alone gets its code from Tryton and is recognised as a vendor', async () => {
    const key = await connection.create('Vendor', { name: 'Bare Vendor' });
    const read = await connection.read('Vendor', key);
    expect(read).toMatchObject({ name: 'Bare Vendor', terms: '', email: null, isActive: true });
    expect(read?.code).toMatch(/^\d+$/);
    expect(await connection.read('Customer', key)).toBeNull();
  });

  test('takes changes of each field, and leaves the others', async () => {
    const key = await connection.create('Vendor', { ...everything, code: 'V-9002' });
    const changes = { name: 'Renamed', terms: 'Net 30', email: 'new@fresh.example', leadTimeDays: 3, isActive: false };
    await connection.update('Vendor', key, changes);
    expect(await connection.read('Vendor', key)).toMatchObject({ ...everything, code: 'V-9002', ...changes });
    const mechanisms = await tryton.rpc.search('party.contact_mechanism', [['party', '=', Number(key)]]);
    expect(mechanisms).toHaveLength(3);
  });

  test('loses what is set to null, and gets what it did not have', async () => {
    const key = await connection.create('Vendor', { ...everything, code: 'V-9003', website: null });
    await connection.update('Vendor', key, {
      email: null,
      taxNumber: null,
      leadTimeDays: null,
      terms: '',
      website: 'w.example',
    });
    const cleared = { email: null, taxNumber: null, leadTimeDays: null, terms: '', website: 'w.example' };
    expect(await connection.read('Vendor', key)).toMatchObject({ ...everything, code: 'V-9003', ...cleared });
  });

  test('that is replaced keeps its code and stays active', async () => {
    const key = await connection.create('Vendor', { ...everything, code: 'V-9004' });
    await connection.update('Vendor', key, { name: 'Replaced' }, 'replace');
    const left = { name: 'Replaced', code: 'V-9004', isActive: true, email: null, phone: null, leadTimeDays: null };
    expect(await connection.read('Vendor', key)).toMatchObject(left);
  });

  test('with terms that Tryton does not know is rejected in words', async () => {
    const creating = connection.create('Vendor', { name: 'Odd terms', terms: 'Net 45' });
    await expect(creating).rejects.toMatchObject(rejected('Supplier Payment Term: Tryton has no record "Net 45"'));
    expect(await tryton.rpc.search('party.party', [['name', '=', 'Odd terms']])).toEqual([]);
  });

  test('with a code that is taken is rejected in the words of Tryton', async () => {
    const creating = connection.create('Vendor', { name: 'Double', code: 'V001' });
    await expect(creating).rejects.toMatchObject(rejected('^The code on party must be unique.$'));
  });

  test('becomes a customer as well by terms of its own', async () => {
    const key = await connection.create('Vendor', { name: 'Both Sides' });
    await tryton.rpc.write('party.party', Number(key), { customer_payment_term: 1 });
    expect(await connection.read('Customer', key)).toMatchObject({ name: 'Both Sides' });
    expect(await connection.read('Vendor', key)).toMatchObject({ name: 'Both Sides' });
  });
});

test('a customer is created, recognised and changed', async () => {
  const input = { name: 'Fresh Customer', code: 'C-9001', email: 'buy@c.example', taxNumber: 'T-1' };
  const key = await connection.create('Customer', { ...input, accountReceivable: reference('Account', 7) });
  const account = { entity: 'Account', by: '_idValue', value: '7' };
  expect(await connection.read('Customer', key)).toMatchObject({ ...input, accountReceivable: account });
  expect(await connection.read('Vendor', key)).toBeNull();
  await connection.update('Customer', key, { email: 'other@c.example' });
  expect(await connection.read('Customer', key)).toMatchObject({ ...input, email: 'other@c.example' });
});

test('the category of a role is made when there is none', async () => {
  const [category] = await tryton.rpc.search('party.category', [['name', '=', 'Customer']]);
  await tryton.rpc.write('party.category', Number(category?.id), { name: 'Key accounts' });
  const first = await connection.create('Customer', { name: 'First of a kind' });
  const second = await connection.create('Customer', { name: 'Second of a kind' });
  expect(await connection.read('Customer', first)).toMatchObject({ name: 'First of a kind' });
  expect(await connection.read('Customer', second)).toMatchObject({ name: 'Second of a kind' });
  expect(await tryton.rpc.search('party.category', [['name', '=', 'Customer']])).toHaveLength(1);
});

test('an address is written line by line', async () => {
  const country = reference('Country', 60);
  const input = {
    line1: 'Hall 3',
    line2: 'Industriestr. 12',
    city: 'Berlin',
    postalCode: '10115',
    addressee: 'Goods in',
  };
  const key = await connection.create('Address', { ...input, country, owner: reference('Vendor', vendor) });
  await connection.update('Address', key, { line2: 'Industriestr. 14', line3: 'Gate B' });
  expect(await connection.read('Address', key)).toMatchObject({
    ...input,
    line2: 'Industriestr. 14',
    line3: 'Gate B',
    line4: null,
    country: { entity: 'Country', value: '60' },
    owner: { entity: 'Vendor', value: vendor },
  });
  const { street } = await tryton.rpc.one('party.address', [['id', '=', Number(key)]], ['street']);
  expect(street).toBe('Hall 3\nIndustriestr. 14\nGate B');
});

describe('a purchase order', () => {
  const order = (): Row => ({ vendor: reference('Vendor', vendor), lines: [line()] });
  const line = (): Row => ({
    item: reference('Item', item),
    quantity: 3,
    unitPrice: 151.25,
    unit: reference('Unit', unit),
  });

  test('arrives with head and lines, and reads back equal', async () => {
    const head = {
      title: 'Pumps for hall B',
      reference: 'Q-7781',
      notes: 'Second source is being looked for',
      orderDate: '2026-11-20',
      expectedDeliveryDate: '2026-12-02',
      terms: 'Net 60',
    };
    const description = 'Pump, painted blue';
    const currency = reference('Currency', 49);
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
      currency: { entity: 'Currency', value: '49' },
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
      description: 'Thanks',
    });
  });

  test('is completed as in the client of Tryton: address, unit, price and taxes', async () => {
    const lines = [{ item: reference('Item', item), quantity: 2 }];
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
      'lines.': [{ unit, unit_price: { decimal: '150.0000' }, taxes: [1] }],
      tax_amount: { decimal: '24.00' },
    });
  });

  test('goes from draft over submit and approve to processing, and Tryton numbers it', async () => {
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

  test('that cannot take a step, which Tryton passes over in silence, is rejected', async () => {
    const key = await connection.create('PurchaseOrder', order());
    const approving = connection.act('PurchaseOrder', key, 'approve');
    await expect(approving).rejects.toMatchObject(
      rejected('"confirm" has no effect on a purchase.purchase in state "draft"'),
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

  test('with a price of too many digits is rejected, and nothing of it is kept', async () => {
    const before = await tryton.rpc.call('purchase.purchase', 'search_count', []);
    const creating = connection.create('PurchaseOrder', {
      ...order(),
      lines: [line(), { ...line(), unitPrice: 1.2345678 }],
    });
    await expect(creating).rejects.toMatchObject(rejected('number of digits .* "Unit Price"'));
    expect(await tryton.rpc.call('purchase.purchase', 'search_count', [])).toBe(before);
  });

  test('takes other lines in place of its own', async () => {
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

  test('is deleted as long as Tryton can cancel it, and may be gone already', async () => {
    const stream = connection.stream('purchase.purchase');
    const { id } = await tryton.rpc.one('purchase.purchase', [['state', '=', 'processing']]);
    await expect(connection.driver.remove(stream, String(id))).rejects.toMatchObject(rejected('you must cancel it'));
    const key = await connection.create('PurchaseOrder', order());
    await connection.driver.remove(stream, key);
    expect(await connection.driver.read(stream, key)).toBeNull();
    await connection.driver.remove(stream, key);
  });
});

describe('a create whose answer was lost', () => {
  const values = () => connection.mapping('Vendor').write({ ...everything, code: 'V-LOST' }, { op: 'create' }).values;
  const stream = () => connection.stream('party.party');
  const intent = async (secondsAgo: number): Promise<Intent> => ({
    writeId: 'w',
    prepared: await connection.driver.prepareCreate(stream()),
    sentAt: new Date(Date.now() - secondsAgo * 1000).toISOString(),
  });

  test('is found by what was sent', async () => {
    const before = await intent(0);
    await tryton.rpc.createOne('party.party', { name: 'Somebody else' });
    const { key } = await connection.driver.create(stream(), values());
    expect(await connection.driver.findCreated(stream(), values(), before)).toEqual({ key });
  });

  test('is not taken for an older record with the same values', async () => {
    expect(await connection.driver.findCreated(stream(), values(), await intent(61))).toBeNull();
  });

  test('counts as not done only when it can no longer take effect', async () => {
    const finding = connection.driver.findCreated(stream(), values(), await intent(10));
    await expect(finding).rejects.toMatchObject({ kind: 'unavailable', retryAfter: expect.closeTo(50, -1) });
  });

  test('of an order is found among orders that differ', async () => {
    const orders = connection.stream('purchase.purchase');
    const input = (reference_: string, quantities: number[]) => ({
      vendor: reference('Vendor', vendor),
      reference: reference_,
      lines: quantities.map((quantity) => ({ item: reference('Item', item), quantity })),
    });
    const prepared = await connection.driver.prepareCreate(orders);
    await connection.create('PurchaseOrder', input('A', [1]));
    await connection.create('PurchaseOrder', input('B', [1, 2]));
    const wanted = await connection.create('PurchaseOrder', input('B', [1]));
    const sent = connection.mapping('PurchaseOrder').write(input('B', [1]), { op: 'create' }).values;
    const at = { writeId: 'w', prepared, sentAt: new Date().toISOString() };
    expect(await connection.driver.findCreated(orders, sent, at)).toEqual({ key: wanted });
  });
});

test('a change of a record that is gone is rejected', async () => {
  const key = await connection.create('Vendor', { name: 'Soon gone' });
  await connection.driver.remove(connection.stream('party.party'), key);
  await expect(connection.update('Vendor', key, { name: 'x' })).rejects.toMatchObject(
    rejected('does not exist any more'),
  );
});

describe('a warning of Tryton', () => {
  const templates = () => ({
    ...connection.stream('product.product'),
    name: 'product.template',
    options: { fields: ['name', 'purchase_uom'] },
  });
  let template: string;
  let dozen: number;

  beforeAll(async () => {
    const supply = await tryton.rpc.one('purchase.product_supplier', [], ['template.products']);
    template = String((supply['template.'] as Row).id);
    const [product] = (supply['template.'] as { products: number[] }).products;
    await tryton.rpc.write('purchase.product_supplier', Number(supply.id), { product });
    const units = await tryton.rpc.one('product.uom', [['id', '=', unit]], ['category']);
    dozen = await tryton.rpc.createOne('product.uom', {
      name: 'Dozen',
      symbol: 'dz',
      category: units.category,
      factor: 12,
      rate: 0.083333333333,
      digits: 0,
      rounding: 1,
    });
  });

  test('rejects the write, in its own words', async () => {
    const writing = connection.driver.update(templates(), template, { purchase_uom: dozen });
    await expect(writing).rejects.toMatchObject(rejected(/purchase UoM on which the purchase prices are based/i));
    expect(await tryton.rpc.one('product.template', [['id', '=', Number(template)]], ['purchase_uom'])).toMatchObject({
      purchase_uom: unit,
    });
  });

  test('is confirmed where the platform says so', async () => {
    const { openTryton } = await import('./tryton-driver.ts');
    const { url, database, user, password } = tryton;
    const options = { ...connection.platform.options, confirmWarnings: [''] };
    const driver = openTryton(
      { ...connection.platform, options },
      { url, database, user, password, allowPrivateHosts: true },
    );
    await driver.update(templates(), template, { purchase_uom: dozen });
    await driver.close();
    expect(await tryton.rpc.one('product.template', [['id', '=', Number(template)]], ['purchase_uom'])).toMatchObject({
      purchase_uom: dozen,
    });
  });
});
