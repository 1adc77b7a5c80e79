import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type BusinessCentral, startBusinessCentral } from '../../test/documented/business-central/server.ts';
import { expectEveryStreamToBeMapped } from '../../test/every-stream.ts';
import { PlatformConnection, reference } from '../../test/platform-connection.ts';
import type { Json } from '../json.ts';
import { platformOf } from '../platforms.ts';
import { settingsProblems } from '../settings.ts';
import { openOData } from './open-odata.ts';

const platform = platformOf('business-central');
let system: BusinessCentral;
let connection: PlatformConnection;

function connected(settings: Readonly<Record<string, Json>> = {}): PlatformConnection {
  return new PlatformConnection(platform, openOData(platform, { ...system.settings, ...settings }));
}

beforeEach(async () => {
  system = await startBusinessCentral();
  connection = connected();
});

afterEach(async () => {
  vi.useRealTimers();
  await connection.driver.close();
  await system.stop();
});

/** The id of the entity with this number or code. */
function idOf(set: string, number: string): string {
  for (const [id, { values }] of system.company.get(set) ?? []) {
    if (values.number === number || values.code === number) return id;
  }
  throw new Error(`no ${number} in ${set}`);
}

const valuesOf = (set: string, id: string) => system.company.get(set)?.get(id)?.values;
const changes = () => system.received.filter(({ method, path }) => method !== 'GET' && !path.includes('oauth2'));

describe('reading', () => {
  test('derives records from every stream, without a problem', async () => {
    await expectEveryStreamToBeMapped(connection);
  });

  test('follows the links of the service, and sends no order that it does not support', async () => {
    system.behavior.pageSize = 1;
    expect(await connection.pullAll('vendors')).toHaveLength(2);
    const lists = system.received.filter(({ path }) => path.endsWith('/vendors'));
    expect(lists.map(({ query }) => query.get('$skiptoken'))).toEqual([null, '1']);
    expect(lists[0]?.headers.prefer).toBe('odata.maxpagesize=100');
    expect(lists.some(({ query }) => query.has('$orderby'))).toBe(false);
  });

  test('reads what changed, and the lines of changed documents', async () => {
    const [order, invoice] = [idOf('salesOrders', '101005'), idOf('salesInvoices', 'PS-INV103001')];
    for (const [set, id] of [
      ['salesOrders', order],
      ['salesInvoices', invoice],
    ] as const) {
      Object.assign(valuesOf(set, id) ?? {}, { lastModifiedDateTime: '2020-01-01T00:00:00Z' });
    }
    const since = await connection.driver.changes.mark(connection.stream('salesOrderLines'));
    expect(await connection.pullAll('salesOrderLines', { since })).toEqual([]);
    await connection.update('SalesOrder', order, { purchaseOrderNumber: 'PO-8' });
    expect((await connection.pullAll('salesOrders', { since })).map(({ key }) => key)).toEqual([order]);
    expect(await connection.pullAll('salesOrderLines', { since })).toHaveLength(2);
    expect(await connection.pullAll('salesInvoiceLines', { since })).toEqual([]);
  });

  test('a document has its party, its lines and its state; keys and dates of nothing are null', async () => {
    const order = await connection.read('PurchaseOrder', idOf('purchaseOrders', '106001'));
    const [line] = await connection.pullAll('purchaseOrderLines');
    expect(order).toMatchObject({
      code: '106001',
      vendor: { value: idOf('vendors', '10000') },
      lines: [{ value: line?.key }],
      requiredDate: '2026-02-01',
      statusCategory: 'draft',
      total: 2201.76,
      deliveryAddress: { addressee: 'CRONUS', city: 'Atlanta' },
    });
    expect(await connection.read('PurchaseOrderLine', line?.key ?? '')).toMatchObject({
      lineType: 'item',
      item: { value: idOf('items', '1896-S') },
      account: null,
      unitPrice: 1000.8,
      receivedQuantity: 1,
    });
    expect(await connection.read('Employee', idOf('employees', 'AH'))).toMatchObject({ terminationDate: null });
    expect(await connection.read('Vendor', idOf('vendors', '20000'))).toMatchObject({
      isActive: false,
      currency: null,
    });
    expect(await connection.read('Customer', idOf('customers', '10000'))).toMatchObject({
      isActive: true,
      creditLimit: 1000.5,
    });
    expect(await connection.read('Invoice', idOf('salesInvoices', 'PS-INV103001'))).toMatchObject({
      statusCategory: 'partially_paid',
      balance: 1000,
    });
    expect(await connection.read('Account', idOf('accounts', '50000'))).toMatchObject({
      classification: 'expense',
      isHeader: true,
    });
  });

  test('an entity that does not exist is not found', async () => {
    for (const entity of ['Vendor', 'PurchaseOrderLine', 'Invoice'])
      expect(await connection.read(entity, crypto.randomUUID()), entity).toBeNull();
  });
});

describe('sign-in', () => {
  test('requests one token for concurrent calls, and another when it is no longer accepted', async () => {
    const tokens = () => system.received.filter(({ path }) => path.includes('oauth2')).length;
    await Promise.all(['vendors', 'customers', 'items'].map((name) => connection.pullAll(name)));
    expect(tokens()).toBe(1);
    system.expireTokens();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 120_000 });
    expect(await connection.pullAll('vendors')).toHaveLength(2);
    expect(tokens()).toBe(2);
  });

  test('with a wrong secret is refused with the reason of Microsoft Entra ID', async () => {
    const wrong = connected({ clientSecret: 'wrong' });
    await expect(wrong.driver.check()).rejects.toMatchObject({ kind: 'unauthorized', cause: /AADSTS7000215/ });
    await wrong.driver.close();
    await expect(connection.driver.check()).resolves.toBeUndefined();
  });

  test('needs a scope with a token address, and the id of a company', () => {
    const { scope: _, ...without } = system.settings;
    expect(settingsProblems(platform, without)).toMatchObject([{ setting: 'scope' }]);
    expect(settingsProblems(platform, { ...system.settings, company: 'CRONUS' })).toMatchObject([
      { setting: 'company' },
    ]);
  });
});

test('too many calls are throttling', async () => {
  await connection.driver.check();
  system.behavior.throttled = 1;
  await expect(connection.pullAll('items')).rejects.toMatchObject({ kind: 'throttled', retryAfter: 60 });
});

describe('a vendor', () => {
  const input = () => ({
    code: 'v-1',
    name: 'Bolts & Co',
    taxNumber: 'DE811907980',
    email: 'sales@bolts.example',
    phone: '+49 40 1234',
    website: 'https://bolts.example',
    currency: reference('Currency', idOf('currencies', 'EUR')),
    paymentTerm: reference('PaymentTerm', idOf('paymentTerms', '1M(8D)')),
    paymentMethod: reference('PaymentMethod', idOf('paymentMethods', 'BANK')),
    isActive: false,
  });

  test('is created with every field that the platform writes', async () => {
    expect(Object.keys(input()).sort()).toEqual([...connection.mapping('Vendor').writable].sort());
    const position = await connection.position('Vendor', input());
    const key = await connection.create('Vendor', input(), { position });
    expect(await connection.read('Vendor', key)).toMatchObject({ code: 'V-1', name: 'Bolts & Co', isActive: false });
    expect(valuesOf('vendors', key)).toMatchObject({ blocked: 'All', currencyId: idOf('currencies', 'EUR') });
  });

  test('whose response is lost is found, but not taken for an older one of the same name', async () => {
    const again = { ...input(), name: 'Fabrikam, Inc.' };
    const position = await connection.position('Vendor', again);
    expect(await connection.findCreated('Vendor', again, position)).toBeUndefined();
    system.behavior.lost = 1;
    await expect(connection.create('Vendor', again, { position })).rejects.toMatchObject({ kind: 'unknown' });
    const found = await connection.findCreated('Vendor', again, position);
    expect(valuesOf('vendors', found ?? '')).toMatchObject({ number: 'V-1' });
    expect(found).not.toBe(idOf('vendors', '10000'));
  });

  test('whose response is lost is not taken for missing when it may be on another page', async () => {
    const again = { ...input(), name: 'Fabrikam, Inc.' };
    const position = await connection.position('Vendor', again);
    system.behavior.lost = 1;
    await expect(connection.create('Vendor', again, { position })).rejects.toMatchObject({ kind: 'unknown' });
    system.behavior.pageSize = 1;
    await expect(connection.findCreated('Vendor', again, position)).rejects.toMatchObject({
      ...{ kind: 'unconfirmed', words: /not return all records/ },
    });
  });

  test('with the number of another one is a duplicate, with the message of the system', async () => {
    const same = { ...input(), code: '10000' };
    const creating = connection.create('Vendor', same, { position: await connection.position('Vendor', same) });
    await expect(creating).rejects.toMatchObject({ kind: 'duplicate', words: /already exists/ });
  });

  test('is changed with its ETag, and a change by another user is a conflict', async () => {
    const id = idOf('vendors', '10000');
    await connection.update('Vendor', id, { name: 'Fabrikam', isActive: true });
    expect(valuesOf('vendors', id)).toMatchObject({ displayName: 'Fabrikam', blocked: ' ' });
    expect(changes()[0]?.headers['if-match']).toMatch(/^W\//);
    system.behavior.beforeChange = () => Object.assign(valuesOf('vendors', id) ?? {}, { '@odata.etag': 'W/"other"' });
    await expect(connection.update('Vendor', id, { name: 'Lost' })).rejects.toMatchObject({ kind: 'conflict' });
    expect(valuesOf('vendors', id)).toMatchObject({ displayName: 'Fabrikam' });
  });

  test('is deleted, once', async () => {
    const id = idOf('vendors', '20000');
    await connection.remove('Vendor', id);
    await connection.remove('Vendor', id);
    expect(valuesOf('vendors', id)).toBeUndefined();
    expect(changes()).toHaveLength(1);
  });
});

test('an item that orders contain cannot be deleted, as the system says', async () => {
  const removing = connection.remove('Item', idOf('items', '1896-S'));
  await expect(removing).rejects.toMatchObject({ kind: 'rejected', words: /You cannot delete Item 1896-S/ });
});

describe('an order', () => {
  const line = (more: object = {}) => ({
    item: reference('Item', idOf('items', '1896-S')),
    quantity: 3,
    unitPrice: 12.5,
    ...more,
  });
  const input = () => ({
    vendor: reference('Vendor', idOf('vendors', '10000')),
    orderDate: '2026-03-01',
    lines: [line({ lineType: 'item' }), line({ quantity: 1, description: 'Spare' })],
  });

  test('is created with its lines in one call', async () => {
    const position = await connection.position('PurchaseOrder', input());
    const key = await connection.create('PurchaseOrder', input(), { position });
    expect(await connection.read('PurchaseOrder', key)).toMatchObject({ total: 50, statusCategory: 'draft' });
    expect(changes()).toHaveLength(1);
    expect(await connection.findCreated('PurchaseOrder', input(), position)).toBe(key);
  });

  test('gets, changes and loses lines', async () => {
    const key = idOf('purchaseOrders', '106001');
    const [first] = await connection.pullAll('purchaseOrderLines');
    await connection.update('PurchaseOrder', key, { lines: [line({ '@key': first?.key, quantity: 5 }), line()] });
    const lines = await connection.pullAll('purchaseOrderLines');
    expect(lines.map(({ row }) => row.quantity)).toEqual(['5', '3']);
    await connection.update('PurchaseOrder', key, { lines: [] });
    expect(await connection.pullAll('purchaseOrderLines')).toEqual([]);
  });
});

describe('an invoice', () => {
  const input = () => ({
    invoiceType: 'accounts_receivable',
    customer: reference('Customer', idOf('customers', '10000')),
    invoiceDate: '2026-03-02',
    lines: [{ item: reference('Item', idOf('items', '1896-S')), quantity: 2, unitPrice: 10 }],
  });

  test('is created as a draft, posted and cancelled by actions of the system', async () => {
    const position = await connection.position('Invoice', input());
    const key = await connection.create('Invoice', input(), { position });
    expect(await connection.read('Invoice', key)).toMatchObject({ statusCategory: 'draft', total: 20 });
    await connection.act('Invoice', key, 'approve');
    expect(await connection.read('Invoice', key)).toMatchObject({ statusCategory: 'approved', balance: 20 });
    const again = connection.act('Invoice', key, 'approve');
    await expect(again).rejects.toMatchObject({ kind: 'rejected', words: /already been posted/ });
    await connection.act('Invoice', key, 'cancel');
    expect(await connection.read('Invoice', key)).toMatchObject({ statusCategory: 'cancelled' });
    expect(changes().map(({ path }) => path.split('/').at(-1))).toContain('Microsoft.NAV.post');
  });

  test('of a vendor cannot be created: it belongs to another entity set', async () => {
    await expect(connection.create('Invoice', { ...input(), invoiceType: 'accounts_payable' })).rejects.toThrow(
      'does not write invoiceType',
    );
  });
});
