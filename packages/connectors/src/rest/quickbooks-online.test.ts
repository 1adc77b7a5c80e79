import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type QuickBooks, startQuickBooks } from '../../test/documented/quickbooks-online/server.ts';
import { expectEveryStreamToBeMapped } from '../../test/every-stream.ts';
import { RestConnection, reference } from '../../test/rest-connection.ts';
import type { ChangedPage, Row } from '../driver.ts';
import type { Json } from '../json.ts';
import { platformOf } from '../platforms.ts';

const platform = platformOf('quickbooks-online');
let system: QuickBooks;
let connection: RestConnection;

beforeEach(async () => {
  system = await startQuickBooks();
  connection = new RestConnection(platform, system.settings);
});

afterEach(async () => {
  await connection.driver.close();
  await system.stop();
});

const entry = (type: string, id: string) => system.books.get(type)?.get(id);
const first = (type: string) => [...(system.books.get(type)?.keys() ?? [])][0] ?? '';
const statements = () =>
  system.received.flatMap(({ query }) => query.get('query') ?? []).filter((text) => !text.includes('CompanyInfo'));
const changes = () => system.received.filter(({ method, path }) => method === 'POST' && path.startsWith('/v3'));
const linesOf = (type: string, id: string) => (entry(type, id)?.Line ?? []) as Row[];

describe('reading', () => {
  test('derives records from every stream, without a problem', async () => {
    await expectEveryStreamToBeMapped(connection);
  });

  test('follows pages by position, and includes inactive objects of lists', async () => {
    const rows = await connection.pullAll('vendors', { limit: 1 });
    expect(rows.map(({ row }) => row.DisplayName)).toEqual(['Bolts & Co', "Old 'Iron' Ltd"]);
    expect(statements()[0]).toBe(
      'select * from Vendor where Active in (true, false) orderby Id startposition 1 maxresults 1',
    );
    expect(await connection.read('Vendor', rows[1]?.key ?? '')).toMatchObject({
      name: "Old 'Iron' Ltd",
      isActive: false,
    });
  });

  test('requests what changed since a time, of lists and of transactions', async () => {
    const since = '2026-11-20T09:00:00.000Z';
    expect(await connection.pullAll('vendors', { since })).toHaveLength(2);
    expect(await connection.pullAll('invoices', { since: '2027-01-01T00:00:00.000Z' })).toEqual([]);
    expect(statements().filter((text) => text.includes('startposition 1 '))).toEqual([
      expect.stringContaining(
        "where Active in (true, false) and MetaData.LastUpdatedTime >= '2026-11-20T09:00:00Z' orderby Id",
      ),
      "select * from Invoice where MetaData.LastUpdatedTime >= '2027-01-01T00:00:00Z' orderby Id startposition 1 maxresults 100",
      "select * from Bill where MetaData.LastUpdatedTime >= '2027-01-01T00:00:00Z' orderby Id startposition 1 maxresults 100",
    ]);
  });

  test('reports transactions that were deleted since the last pass, up to 29 days back', async () => {
    const recent = new Date(Date.now() - 28 * 86_400_000).toISOString();
    const pulled = async (since: string) => {
      const stream = connection.stream('invoices');
      const keys: string[] = [];
      for (let from: Json | null = null, more = true; more; more = from !== null) {
        const page: ChangedPage = await connection.driver.changes.pull({ stream, from, limit: 100, since });
        keys.push(...(page.deleted ?? []));
        from = page.next;
      }
      return keys;
    };
    expect(await pulled(recent)).toEqual([]);
    const key = `Bill/${first('Bill')}`;
    await connection.remove('Invoice', key);
    expect(await pulled(recent)).toEqual([key]);
    const reports = () => system.received.filter(({ path }) => path.endsWith('/cdc')).length;
    const before = reports();
    expect(await pulled('2026-01-01T00:00:00Z')).toEqual([]);
    expect(reports()).toBe(before);
  });

  test('invoices and bills are one stream, and their lines another, which is read in the same calls per page', async () => {
    const rows = await connection.pullAll('invoices', { limit: 1 });
    const [invoice, bill] = [`Invoice/${first('Invoice')}`, `Bill/${first('Bill')}`];
    expect(rows.map(({ key }) => key)).toEqual([invoice, bill]);
    const lines = await connection.pullAll('invoice_lines', { limit: 1 });
    expect(lines.map(({ key }) => key)).toEqual([`${invoice}/1`, `${bill}/1`, `${bill}/2`]);
    expect(await connection.read('Invoice', invoice)).toMatchObject({
      invoiceType: 'accounts_receivable',
      customer: { value: first('Customer') },
      vendor: null,
      lines: [{ value: `${invoice}/1` }],
      statusCategory: 'partially_paid',
      balance: 40,
    });
    expect(await connection.read('Invoice', bill)).toMatchObject({
      invoiceType: 'accounts_payable',
      invoiceNumber: 'B-77',
      vendor: { value: first('Vendor') },
      statusCategory: 'approved',
    });
    expect(await connection.read('InvoiceLine', `${bill}/2`)).toMatchObject({
      invoice: { value: bill },
      description: 'Freight',
      account: { entity: 'Account' },
      total: 50,
    });
  });

  test('journal entries have their lines as debits and credits', async () => {
    const lines = await connection.pullAll('journal_lines');
    const id = first('JournalEntry');
    expect(lines.map(({ key }) => key)).toEqual([`${id}/0`, `${id}/1`]);
    expect(await connection.read('JournalLine', `${id}/0`)).toMatchObject({
      ...{ debit: 30, credit: null, transactionDate: '2026-11-19', reference: 'J-1' },
      ...{ journalEntry: { value: id }, vendor: { value: first('Vendor') } },
    });
  });

  test('an object that does not exist is not found, whatever its id contains', async () => {
    for (const [entity, key] of [
      ['Vendor', '999'],
      ['Vendor', "1' or Id = '1"],
      ['Invoice', 'Invoice/999'],
      ['InvoiceLine', `Invoice/${first('Invoice')}/9`],
      ['InvoiceLine', 'Bill/999/1'],
      ['JournalLine', '999/0'],
    ] as const)
      expect(await connection.read(entity, key), `${entity} ${key}`).toBeNull();
  });
});

describe('access', () => {
  test('an expired access token is renewed with the refresh token that replaced the first, and the call repeated', async () => {
    await connection.driver.check();
    onTestFinished(() => void vi.useRealTimers());
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 120_000 });
    system.expire();
    expect(await connection.pullAll('vendors')).toHaveLength(2);
    const sent = system.received.filter(({ path }) => path.startsWith('/oauth2')).map(({ body }) => body);
    expect(sent).toEqual([expect.stringContaining('refresh-0'), expect.stringContaining('refresh-1')]);
  });

  test('too many calls are throttling, without a time for a minute', async () => {
    await connection.driver.check();
    system.behavior.throttled = 1;
    await expect(connection.pullAll('items')).rejects.toMatchObject({ kind: 'throttled', retryAfter: 60 });
  });

  test('a refused refresh token asks to sign in again, and a company that the app has no access to is forbidden', async () => {
    const refused = new RestConnection(platform, { ...system.settings, refreshToken: 'refresh-9' });
    await expect(refused.driver.check()).rejects.toMatchObject({
      kind: 'unauthorized',
      words: expect.stringContaining('Sign in to QuickBooks Online again'),
    });
    await refused.driver.close();
    const other = new RestConnection(platform, { ...system.settings, company: '1' });
    await expect(other.driver.check()).rejects.toMatchObject({
      kind: 'forbidden',
      words: 'The app has no access to this company',
    });
    await other.driver.close();
  });
});

const vendorInput = (): Row => ({
  name: 'Nuts Ltd',
  legalName: 'Nuts',
  email: 'a@nuts.example',
  phone: '555-0103',
  website: 'https://nuts.example',
  taxNumber: '12-3456789',
  notes: 'New',
  paymentTerm: reference('PaymentTerm', first('Term')),
  currency: reference('Currency', '1', 'USD'),
  accountPayable: reference('Account', '7'),
  isActive: true,
});

describe('a vendor', () => {
  test('is created once with every field that the platform writes, even if the response is lost', async () => {
    const input = vendorInput();
    expect(Object.keys(input).sort()).toEqual([...connection.mapping('Vendor').writable].sort());
    const position = await connection.position('Vendor', input);
    system.behavior.lost = 1;
    await expect(connection.create('Vendor', input, { position })).rejects.toMatchObject({ kind: 'unknown' });
    const found = await connection.findCreated('Vendor', input, position);
    const key = await connection.create('Vendor', input, { position });
    expect(found).toBe(key);
    expect(entry('Vendor', key)).toMatchObject({
      ...{ DisplayName: 'Nuts Ltd', PrimaryEmailAddr: { Address: 'a@nuts.example' } },
      ...{ TermRef: { value: first('Term') }, CurrencyRef: { value: 'USD' }, APAccountRef: { value: '7' } },
    });
    expect(changes()).toHaveLength(2);
    expect(system.books.get('Vendor')?.size).toBe(3);
    const [id] = changes().map(({ query }) => query.get('requestid') ?? '');
    expect(id).toHaveLength(26);
  });

  test('that resembles a new one of another user is not taken for it, but created', async () => {
    const input = vendorInput();
    const position = await connection.position('Vendor', input);
    await connection.create('Vendor', { ...input, legalName: 'Other' }, { writeId: 'other' });
    expect(await connection.findCreated('Vendor', input, position)).toBeUndefined();
  });

  test('that exists is a duplicate, and one without a name is refused, with the reason', async () => {
    const again = connection.create('Vendor', { ...vendorInput(), name: 'Bolts & Co' });
    const words = expect.stringContaining('The name supplied already exists');
    await expect(again).rejects.toMatchObject({ kind: 'duplicate', words });
    const nameless = connection.create('Vendor', { notes: 'x' }, { writeId: 'other' });
    await expect(nameless).rejects.toMatchObject({ kind: 'rejected', words: /DisplayName is missing/ });
  });

  test('keeps what an update does not contain, and is not changed if another user changes it at the same time', async () => {
    const key = first('Vendor');
    await connection.update('Vendor', key, { notes: null, isActive: false });
    expect(entry('Vendor', key)).toMatchObject({ Notes: '', Active: false, CompanyName: 'Bolts', SyncToken: '1' });
    system.behavior.beforeChange = () => Object.assign(entry('Vendor', key) ?? {}, { SyncToken: '7' });
    const contested = connection.update('Vendor', key, { notes: 'Later' });
    await expect(contested).rejects.toMatchObject({ kind: 'conflict', words: /Stale Object Error/ });
    expect(entry('Vendor', key)).toMatchObject({ Notes: '' });
  });
});

test('a customer and an item are created and changed', async () => {
  const customer = await connection.create('Customer', {
    ...{ name: 'Pier', billingAddress: { line1: '4 Dock St', city: 'Reno', postalCode: '89501' } },
    paymentTerm: reference('PaymentTerm', first('Term')),
  });
  expect(entry('Customer', customer)).toMatchObject({ BillAddr: { Line1: '4 Dock St', City: 'Reno' } });
  const item = await connection.create(
    'Item',
    {
      ...{ name: 'Valve', itemType: 'non_inventory', sku: 'V-1', salesPrice: 5, purchasePrice: 3 },
      ...{ unit: reference('Unit', '1', 'EA'), purchaseAccount: reference('Account', '9') },
    },
    { writeId: 'item' },
  );
  expect(entry('Item', item)).toMatchObject({ Type: 'NonInventory', Sku: 'V-1', ExpenseAccountRef: { value: '9' } });
  expect(entry('Item', item)).not.toHaveProperty('unit');
  await connection.update('Item', item, { salesPrice: 6 });
  expect(await connection.read('Item', item)).toMatchObject({ salesPrice: 6, purchasePrice: 3, sku: 'V-1' });
});

const pump = () => reference('Item', first('Item'), 'P-1');

describe.each([
  [
    'accounts_receivable',
    'Invoice',
    'SalesItemLineDetail',
    () => ({ customer: reference('Customer', first('Customer')) }),
  ],
  ['accounts_payable', 'Bill', 'ItemBasedExpenseLineDetail', () => ({ vendor: reference('Vendor', first('Vendor')) })],
] as const)('an invoice for %s', (invoiceType, type, detail, party) => {
  const created = () =>
    connection.create('Invoice', {
      ...{ invoiceType, ...party(), invoiceDate: '2026-11-22', invoiceNumber: 'N-1' },
      lines: [
        { item: pump(), quantity: 2, unitPrice: 10.55, description: 'Pumps' },
        { item: pump(), quantity: 1, unitPrice: 5 },
      ],
    });

  test(`is created as ${type} with its lines and amounts`, async () => {
    const key = await created();
    expect(key.split('/')[0]).toBe(type);
    const [, id = ''] = key.split('/');
    expect(linesOf(type, id)[0]).toMatchObject({
      ...{ Amount: 21.1, DetailType: detail, Description: 'Pumps' },
      [detail]: { ItemRef: { value: first('Item') }, Qty: 2, UnitPrice: 10.55 },
    });
    expect(await connection.read('Invoice', key)).toMatchObject({ invoiceType, total: 26.1, invoiceNumber: 'N-1' });
  });

  test('keeps the lines that a change names with all their values, and loses the others', async () => {
    const key = await created();
    const [, id = ''] = key.split('/');
    const lines = [
      { '@key': `${key}/1`, quantity: 3 },
      { item: pump(), quantity: 1, unitPrice: 7 },
    ];
    await connection.update('Invoice', key, { notes: 'Changed', lines });
    expect(linesOf(type, id).filter(({ Id }) => Id)).toMatchObject([
      { Id: '1', Amount: 31.65, Description: 'Pumps', [detail]: { Qty: 3, UnitPrice: 10.55 } },
      { Amount: 7, [detail]: { Qty: 1, UnitPrice: 7 } },
    ]);
    for (const name of ['@key', 'Detail"', '"document"']) expect(changes().at(-1)?.body).not.toContain(`"${name}`);
    expect(entry(type, id)).toMatchObject({ PrivateNote: 'Changed', TxnDate: '2026-11-22' });
  });

  test('is deleted, and need not exist', async () => {
    const key = await created();
    await connection.remove('Invoice', key);
    await connection.remove('Invoice', key);
    expect(await connection.read('Invoice', key)).toBeNull();
    expect(changes()).toHaveLength(2);
  });
});

test('an invoice of a customer is voided, but not a bill', async () => {
  const key = `Invoice/${first('Invoice')}`;
  await connection.act('Invoice', key, 'cancel');
  expect(await connection.read('Invoice', key)).toMatchObject({ statusCategory: 'void', total: 0 });
  const bill = connection.act('Invoice', `Bill/${first('Bill')}`, 'cancel');
  await expect(bill).rejects.toMatchObject({ kind: 'rejected', words: 'Operation void is not supported.' });
});

test('a purchase order is created, closed and opened again', async () => {
  const key = await connection.create('PurchaseOrder', {
    ...{ vendor: reference('Vendor', first('Vendor')), account: reference('Account', '7'), orderDate: '2026-11-22' },
    ...{ deliveryAddress: { line1: '1 Main St' }, lines: [{ item: pump(), quantity: 4, unitPrice: 12.5 }] },
  });
  expect(await connection.read('PurchaseOrder', key)).toMatchObject({ total: 50, statusCategory: 'approved' });
  await connection.act('PurchaseOrder', key, 'close');
  expect(await connection.read('PurchaseOrder', key)).toMatchObject({ statusCategory: 'closed' });
  await connection.act('PurchaseOrder', key, 'set-status', { statusCategory: 'approved' });
  expect(await connection.read('PurchaseOrder', key)).toMatchObject({ statusCategory: 'approved' });
  await connection.update('PurchaseOrder', key, { lines: [{ '@key': `${key}/1`, unitPrice: 10 }] });
  expect(await connection.read('PurchaseOrder', key)).toMatchObject({ total: 40 });
});

test('a purchase order whose lines another user has changed is not changed', async () => {
  const key = first('PurchaseOrder');
  const intent = { writeId: 'w', position: null, sentAt: '2026-11-20T09:00:00Z' };
  const stream = connection.stream('purchase_orders');
  const writing = connection.driver.writes.update(stream, key, { Line: [] }, intent, { Line: [] });
  await expect(writing).rejects.toMatchObject({ kind: 'outdated', changedRows: { added: ['1'] } });
  expect(changes()).toEqual([]);
});
