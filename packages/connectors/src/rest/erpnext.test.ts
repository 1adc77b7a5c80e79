import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ErpNext, startErpNext } from '../../test/documented/erpnext/server.ts';
import { expectEveryStreamToBeMapped } from '../../test/every-stream.ts';
import { RestConnection, reference } from '../../test/rest-connection.ts';
import type { Row } from '../driver.ts';
import { platformOf } from '../platforms.ts';

const platform = platformOf('erpnext');
let system: ErpNext;
let connection: RestConnection;

beforeEach(async () => {
  system = await startErpNext();
  connection = new RestConnection(platform, system.settings);
});

afterEach(async () => {
  await connection.driver.close();
  await system.stop();
});

const doc = (doctype: string, name: string) => system.site.get(doctype)?.get(name);
const itemsOf = (order: string) => (doc('Purchase Order', order)?.items ?? []) as Row[];
const only = (doctype: string) => [...(system.site.get(doctype)?.keys() ?? [])][0] ?? '';
const changes = () => system.received.filter(({ method }) => method !== 'GET');

describe('reading', () => {
  test('derives records from every stream, without a problem', async () => {
    await expectEveryStreamToBeMapped(connection);
  });

  test('follows pages by limit_start, whatever names contain', async () => {
    const rows = await connection.pullAll('suppliers', { limit: 1 });
    expect(rows.map(({ row }) => row.supplier_name)).toEqual(['Bolts & Co', 'Old/Supplier "2"']);
    const [, old] = rows;
    expect(old?.key).toBe('Old%2FSupplier "2"');
    expect(await connection.read('Vendor', old?.key ?? '')).toMatchObject({
      name: 'Old/Supplier "2"',
      isActive: false,
    });
  });

  test('requests what changed in the last hours, as the zone of the site is not known, and its lines', async () => {
    const since = '2026-11-20T09:00:00.000Z';
    const pulled = await connection.pullAll('purchase_order_items', { since });
    expect(pulled).toHaveLength(1);
    const filters = system.received.map(({ query }) => query.get('filters')).filter((text) => text !== null);
    expect([...new Set(filters)]).toEqual(['[["modified",">=","2026-11-20 09:00:00"]]']);
    const mark = String(await connection.driver.changes.mark(connection.stream('suppliers')));
    expect(Date.now() - Date.parse(mark)).toBeGreaterThanOrEqual(43_500_000);
  });

  test('invoices of customers and suppliers are one stream, with their lines', async () => {
    const rows = await connection.pullAll('invoices', { limit: 1 });
    const [sales, purchase] = [only('Sales Invoice'), only('Purchase Invoice')];
    expect(rows.map(({ key }) => key)).toEqual([`Sales Invoice/${sales}`, `Purchase Invoice/${purchase}`]);
    const lines = await connection.pullAll('invoice_items');
    expect(await connection.read('Invoice', `Sales Invoice/${sales}`)).toMatchObject({
      invoiceType: 'accounts_receivable',
      customer: { value: 'Harbor' },
      vendor: null,
      lines: [{ value: lines[0]?.key }],
      statusCategory: 'partially_paid',
      balance: 40,
    });
    expect(await connection.read('Invoice', `Purchase Invoice/${purchase}`)).toMatchObject({
      invoiceType: 'accounts_payable',
      vendor: { value: 'Bolts & Co' },
      invoiceNumber: 'B-77',
      statusCategory: 'draft',
    });
    const [soldLine] = await connection.pullAll('sales_order_items');
    expect(await connection.read('InvoiceLine', lines[0]?.key ?? '')).toMatchObject({
      invoice: { value: `Sales Invoice/${sales}` },
      item: { value: 'P-1' },
      account: { value: 'Sales - N' },
      salesOrderLine: { value: soldLine?.key },
      total: 100,
    });
  });

  test('a document that does not exist is not found', async () => {
    for (const [entity, key] of [
      ['Vendor', 'X'],
      ['PurchaseOrderLine', 'X/1'],
      ['Invoice', 'Sales Invoice/X'],
      ['InvoiceLine', `Sales Invoice/${only('Sales Invoice')}/x`],
    ] as const)
      expect(await connection.read(entity, key), entity).toBeNull();
  });
});

test('too many calls are throttling, for as long as the system says, and a wrong secret is refused', async () => {
  system.behavior.throttled = 1;
  await expect(connection.pullAll('items')).rejects.toMatchObject({ kind: 'throttled', retryAfter: 7 });
  const wrong = new RestConnection(platform, { ...system.settings, apiSecret: 'wrong' });
  await expect(wrong.driver.check()).rejects.toMatchObject({ kind: 'unauthorized', words: 'Invalid API credentials' });
  await wrong.driver.close();
});

describe('a supplier', () => {
  const input: Row = {
    name: 'Nuts Ltd',
    taxNumber: 'DE2',
    website: 'https://nuts.example',
    notes: 'New',
    currency: reference('Currency', 'EUR'),
    paymentTerm: reference('PaymentTerm', 'Net 30'),
    isActive: true,
  };

  test('is created with every field that the platform writes, and found if the response is lost', async () => {
    expect(Object.keys(input).sort()).toEqual([...connection.mapping('Vendor').writable].sort());
    const position = await connection.position('Vendor', input);
    expect(await connection.findCreated('Vendor', input, position)).toBeUndefined();
    system.behavior.lost = 1;
    await expect(connection.create('Vendor', input, { position })).rejects.toMatchObject({ kind: 'unknown' });
    const key = await connection.findCreated('Vendor', input, position);
    expect(key).toBe('Nuts Ltd');
    expect(doc('Supplier', 'Nuts Ltd')).toMatchObject({ tax_id: 'DE2', default_currency: 'EUR', disabled: 0 });
  });

  test('that exists is a duplicate, and one without a name is refused, with messages without markup', async () => {
    const position = await connection.position('Vendor', input);
    const again = connection.create('Vendor', { ...input, name: 'Bolts & Co' }, { position });
    await expect(again).rejects.toMatchObject({ kind: 'duplicate', words: 'Supplier Bolts & Co already exists' });
    const nameless = connection.create('Vendor', { notes: 'x', taxNumber: 'DE9' }, { position });
    await expect(nameless).rejects.toMatchObject({ kind: 'rejected', words: /^Error: Value missing for Supplier/ });
  });

  test('that another user changes at the same time is a conflict', async () => {
    await connection.update('Vendor', 'Bolts & Co', { taxNumber: 'DE3', isActive: false });
    expect(doc('Supplier', 'Bolts & Co')).toMatchObject({ tax_id: 'DE3', disabled: 1 });
    system.behavior.beforeChange = () => Object.assign(doc('Supplier', 'Bolts & Co') ?? {}, { modified: 'later' });
    const contested = connection.update('Vendor', 'Bolts & Co', { taxNumber: 'DE4' });
    await expect(contested).rejects.toMatchObject({ kind: 'conflict' });
    expect(doc('Supplier', 'Bolts & Co')).toMatchObject({ tax_id: 'DE3' });
  });

  test('is deleted unless documents refer to it', async () => {
    const used = connection.remove('Vendor', 'Bolts & Co');
    await expect(used).rejects.toMatchObject({ kind: 'in-use', words: /Bolts & Co is linked/ });
    await connection.remove('Vendor', 'Old%2FSupplier "2"');
    await connection.remove('Vendor', 'Old%2FSupplier "2"');
    expect(doc('Supplier', 'Old/Supplier "2"')).toBeUndefined();
  });
});

describe('a purchase order', () => {
  const item = reference('Item', 'P-1', 'P-1');
  const input: Row = {
    vendor: reference('Vendor', 'Bolts & Co'),
    orderDate: '2026-11-21',
    requiredDate: '2026-12-01',
    lines: [
      { item, quantity: 2, unitPrice: 10, unit: reference('Unit', 'Nos') },
      { item, quantity: 1, unitPrice: 5 },
    ],
  };
  const created = async () =>
    connection.create('PurchaseOrder', input, { position: await connection.position('PurchaseOrder', input) });

  test('is created as a draft with its lines, submitted and cancelled', async () => {
    const key = await created();
    expect(await connection.read('PurchaseOrder', key)).toMatchObject({ total: 25, statusCategory: 'draft' });
    await connection.act('PurchaseOrder', key, 'approve');
    expect(await connection.read('PurchaseOrder', key)).toMatchObject({ statusCategory: 'approved' });
    await connection.update('PurchaseOrder', key, { requiredDate: '2026-12-24' });
    expect(doc('Purchase Order', key)).toMatchObject({ schedule_date: '2026-12-24' });
    const late = connection.update('PurchaseOrder', key, { orderDate: '2026-11-22' });
    const words = /Not allowed to change Transaction Date after submission from 2026-11-21 to 2026-11-22/;
    await expect(late).rejects.toMatchObject({ kind: 'rejected', words });
    await connection.act('PurchaseOrder', key, 'cancel');
    expect(await connection.read('PurchaseOrder', key)).toMatchObject({ statusCategory: 'cancelled' });
  });

  test('keeps the lines that a change names, and loses the others', async () => {
    const key = await created();
    const [first] = itemsOf(key);
    const lines = [
      { '@key': `${key}/${first?.name}`, quantity: 7 },
      { item, quantity: 3, unitPrice: 1 },
    ];
    await connection.update('PurchaseOrder', key, { lines });
    const stored = itemsOf(key);
    expect(stored).toMatchObject([{ name: first?.name, qty: 7, rate: 10 }, { qty: 3 }]);
    expect(changes().at(-1)?.body).not.toContain('@key');
  });

  test('whose lines another user has changed is not changed', async () => {
    const key = await created();
    const stream = connection.stream('purchase_orders');
    const [first] = itemsOf(key);
    const intent = { writeId: 'w', position: null, sentAt: '2026-11-20T09:00:00Z' };
    const known = { items: [`${key}/${first?.name}`] };
    const writing = connection.driver.writes.update(stream, key, { items: [] }, intent, known);
    await expect(writing).rejects.toMatchObject({ kind: 'outdated', changedRows: { added: [expect.any(String)] } });
    expect(itemsOf(key)).toHaveLength(2);
  });
});

test.each([
  ['accounts_receivable', 'Sales Invoice', { customer: reference('Customer', 'Harbor') }],
  ['accounts_payable', 'Purchase Invoice', { vendor: reference('Vendor', 'Bolts & Co'), invoiceNumber: 'B-78' }],
])('an invoice for %s is created as a %s and submitted', async (invoiceType, doctype, party) => {
  const lines = [{ item: reference('Item', 'P-1'), quantity: 2, unitPrice: 10 }];
  const input = { invoiceType, invoiceDate: '2026-11-22', ...party, lines };
  const position = await connection.position('Invoice', input);
  const key = await connection.create('Invoice', input, { position });
  expect(key.split('/')[0]).toBe(doctype);
  expect(await connection.findCreated('Invoice', input, position)).toBe(key);
  await connection.act('Invoice', key, 'approve');
  expect(await connection.read('Invoice', key)).toMatchObject({ invoiceType, statusCategory: 'approved', balance: 20 });
});
