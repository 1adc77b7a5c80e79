import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Odoo, startOdoo } from '../../test/documented/odoo/server.ts';
import { expectEveryStreamToBeMapped } from '../../test/every-stream.ts';
import { RestConnection, reference } from '../../test/rest-connection.ts';
import type { Row } from '../driver.ts';
import { platformOf } from '../platforms.ts';

const platform = platformOf('odoo');
let system: Odoo;
let connection: RestConnection;

beforeEach(async () => {
  system = await startOdoo();
  connection = new RestConnection(platform, system.settings);
});

afterEach(async () => {
  await connection.driver.close();
  await system.stop();
});

const row = (model: string, id: number | string) => system.database.get(model)?.get(Number(id));
const bodies = (path: string): Row[] =>
  system.received.filter((call) => call.path.endsWith(path)).map(({ body }) => JSON.parse(body));

describe('reading', () => {
  test('derives records from every stream, without a problem', async () => {
    await expectEveryStreamToBeMapped(connection);
  });

  test('posts a domain, fields, an offset and a limit, and reads archived records', async () => {
    const rows = await connection.pullAll('customers', { limit: 1 });
    expect(rows.map(({ row: { name } }) => name)).toEqual(['Deco Addict', 'Mira Hahn']);
    const [first, second] = bodies('/res.partner/search_read');
    expect(first).toMatchObject({ domain: [['customer_rank', '>', 0]], order: 'id', offset: 0, limit: 1 });
    expect(first?.context).toEqual({ active_test: false });
    expect(second).toMatchObject({ offset: 0, limit: 2 });
    expect(system.received.every(({ headers }) => headers['x-odoo-database'] === 'mycompany')).toBe(true);
  });

  test('requests what changed in UTC, within the rows of the stream', async () => {
    await connection.pullAll('invoices', { since: '2026-11-20T09:00:00.000Z' });
    const [{ domain } = {}] = bodies('/account.move/search_read');
    expect(domain).toEqual([
      ['move_type', 'in', ['out_invoice', 'out_refund', 'in_invoice', 'in_refund']],
      ['write_date', '>=', '2026-11-20 09:00:00'],
    ]);
  });

  test('false is no value, except where it can be true', async () => {
    expect(await connection.read('Vendor', 1)).toMatchObject({ code: 'V-1', phone: null, isActive: true });
    expect(await connection.read('Customer', 3)).toMatchObject({
      isActive: false,
      isIndividual: true,
      paymentTerm: null,
    });
  });

  test('invoices of customers and vendors have their party, lines and state', async () => {
    expect(await connection.read('Invoice', 1)).toMatchObject({
      invoiceType: 'accounts_receivable',
      customer: { value: '2' },
      vendor: null,
      lines: [{ value: '1' }],
      statusCategory: 'partially_paid',
      balance: 20,
    });
    expect(await connection.read('Invoice', 2)).toMatchObject({
      invoiceType: 'accounts_payable',
      vendor: { value: '1' },
      reference: 'B-77',
      statusCategory: 'draft',
    });
    expect(await connection.pullAll('invoice_lines')).toHaveLength(2);
    expect(await connection.pullAll('journal_items')).toHaveLength(2);
  });

  test('sections, subsections and notes are comments', async () => {
    for (const [key, lineType] of [
      [1, 'item'],
      [2, 'comment'],
      [3, 'comment'],
    ] as const)
      expect(await connection.read('SalesOrderLine', key)).toMatchObject({ lineType });
  });

  test('a record that does not exist is not found', async () => {
    for (const entity of ['Vendor', 'PurchaseOrderLine', 'Invoice'])
      expect(await connection.read(entity, 4711), entity).toBeNull();
  });
});

test('too many calls are throttling, and a wrong API key is refused without a traceback', async () => {
  system.behavior.throttled = 1;
  await expect(connection.pullAll('products')).rejects.toMatchObject({ kind: 'throttled', retryAfter: 60 });
  const wrong = new RestConnection(platform, { ...system.settings, token: 'wrong' });
  await expect(wrong.driver.check()).rejects.toMatchObject({ kind: 'unauthorized', words: 'Invalid apikey' });
  await wrong.driver.close();
});

describe('a vendor', () => {
  const input: Row = {
    code: 'V-2',
    name: 'Bolts & Co',
    taxNumber: 'DE1',
    email: 'sales@bolts.example',
    phone: '+49 40 1234',
    website: 'https://bolts.example',
    paymentTerm: reference('PaymentTerm', 1),
    isActive: true,
  };

  test('is created with every field that the platform writes, and found if the response is lost', async () => {
    expect(Object.keys(input).sort()).toEqual([...connection.mapping('Vendor').writable].sort());
    const position = await connection.position('Vendor', input);
    expect(await connection.findCreated('Vendor', input, position)).toBeUndefined();
    system.behavior.lost = 1;
    await expect(connection.create('Vendor', input, { position })).rejects.toMatchObject({ kind: 'unknown' });
    const key = (await connection.findCreated('Vendor', input, position)) ?? '';
    expect(row('res.partner', key)).toMatchObject({ name: 'Bolts & Co', supplier_rank: 1, is_company: true });
    expect(row('res.partner', key)?.property_supplier_payment_term_id).toBe(1);
  });

  test('is changed, and loses values that are cleared', async () => {
    await connection.update('Vendor', '1', { name: 'Wood', email: null, isActive: false });
    expect(row('res.partner', 1)).toMatchObject({ name: 'Wood', email: null, active: false, vat: 'BE0477472701' });
    expect(bodies('/write')).toEqual([{ ids: [1], vals: { name: 'Wood', email: false, active: false } }]);
  });

  test('that was deleted cannot be changed, and deleting it again succeeds', async () => {
    await connection.remove('Vendor', '1');
    await connection.remove('Vendor', '1');
    expect(row('res.partner', 1)).toBeUndefined();
    await expect(connection.update('Vendor', '1', { name: 'X' })).rejects.toMatchObject({ kind: 'gone' });
  });

  test('without a name is refused with the message of the system', async () => {
    const creating = connection.create('Vendor', { email: 'a@b.example' }, { position: { after: 9 } });
    await expect(creating).rejects.toMatchObject({ kind: 'rejected', words: /mandatory field is not set/ });
  });
});

describe('a purchase order', () => {
  const item = reference('Item', 1);
  const input: Row = {
    vendor: reference('Vendor', 1),
    reference: 'R-1',
    lines: [
      { item, description: 'Pump', quantity: 2, unitPrice: 10 },
      { item, description: 'Spare', quantity: 1, unitPrice: 5 },
    ],
  };
  const created = async () =>
    connection.create('PurchaseOrder', input, { position: await connection.position('PurchaseOrder', input) });

  test('is created with its lines in one call, confirmed, cancelled and reopened', async () => {
    const key = await created();
    expect(await connection.read('PurchaseOrder', key)).toMatchObject({ total: 25, statusCategory: 'draft' });
    for (const [action, statusCategory] of [
      ['approve', 'approved'],
      ['cancel', 'cancelled'],
      ['reopen', 'draft'],
    ] as const) {
      await connection.act('PurchaseOrder', key, action);
      expect(await connection.read('PurchaseOrder', key)).toMatchObject({ statusCategory });
    }
    await connection.act('PurchaseOrder', key, 'cancel');
    await connection.remove('PurchaseOrder', key);
    expect(row('purchase.order', key)).toBeUndefined();
  });

  test('that is not cancelled is not deleted', async () => {
    const key = await created();
    const deleting = connection.remove('PurchaseOrder', key);
    await expect(deleting).rejects.toMatchObject({ kind: 'rejected', words: /you must cancel it first/ });
  });

  test('keeps the lines that a change names, and loses the others', async () => {
    const key = await created();
    const [first, second] = (row('purchase.order', key)?.order_line ?? []) as number[];
    const lines = [
      { '@key': String(first), quantity: 7 },
      { item, description: 'New', quantity: 3, unitPrice: 1 },
    ];
    await connection.update('PurchaseOrder', key, { lines });
    expect(row('purchase.order.line', first ?? 0)).toMatchObject({ product_qty: 7, price_unit: 10, product_id: 1 });
    expect(row('purchase.order.line', second ?? 0)).toBeUndefined();
    expect(await connection.read('PurchaseOrder', key)).toMatchObject({ total: 73 });
  });

  test('whose lines another user has changed is not changed', async () => {
    const key = await created();
    const known = { order_line: ['1'] };
    const intent = { writeId: 'w', position: null, sentAt: '2026-11-20T09:00:00Z' };
    const stream = connection.stream('purchase_orders');
    const writing = connection.driver.writes.update(stream, key, { order_line: [] }, intent, known);
    await expect(writing).rejects.toMatchObject({ kind: 'outdated' });
    expect(row('purchase.order', key)?.order_line).toHaveLength(2);
  });
});

test.each([
  ['accounts_receivable', 'out_invoice', { customer: reference('Customer', 2) }],
  ['accounts_payable', 'in_invoice', { vendor: reference('Vendor', 1), reference: 'B-78' }],
])('an invoice for %s is created as %s, posted once, and then keeps its date', async (invoiceType, type, party) => {
  const lines = [{ item: reference('Item', 1), description: 'Pump', quantity: 2, unitPrice: 10 }];
  const input = { invoiceType, invoiceDate: '2026-11-22', ...party, lines };
  const position = await connection.position('Invoice', input);
  const key = await connection.create('Invoice', input, { position });
  expect(row('account.move', key)).toMatchObject({ move_type: type, state: 'draft' });
  await connection.act('Invoice', key, 'approve');
  expect(await connection.read('Invoice', key)).toMatchObject({ statusCategory: 'approved', balance: 20 });
  const again = connection.act('Invoice', key, 'approve');
  await expect(again).rejects.toMatchObject({ kind: 'rejected', words: 'The entry must be in draft.' });
  const late = connection.update('Invoice', key, { invoiceDate: '2026-11-23' });
  await expect(late).rejects.toMatchObject({
    kind: 'rejected',
    words: /readonly fields on a posted move: invoice_date/,
  });
});
