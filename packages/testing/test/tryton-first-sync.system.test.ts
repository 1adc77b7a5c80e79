import type { Client } from '@unified/sdk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Fields, Rpc, Wire } from '../../../test-systems/tryton/rpc.ts';
import { type RunningTryton, startTryton } from '../../../test-systems/tryton/start.ts';
import { delivered, START_MS, type Stack, startStack } from './stack.ts';
import { TRADED } from './trade.ts';
import { connectTryton } from './tryton-connection.ts';

let tryton: RunningTryton;
let rpc: Rpc;
let stack: Stack;
let client: Client;

beforeAll(async () => {
  [tryton, stack] = await Promise.all([startTryton(), startStack(delivered([...TRADED, 'Country', 'Language']))]);
  rpc = tryton.rpc;
  await stack.startWorker();
  const connection = await connectTryton(stack, tryton);
  client = connection.client;
  await connection.sync('full');
}, START_MS);

afterAll(async () => {
  await stack?.stop();
  await tryton?.stop();
});

/** Number of rows in Tryton, including inactive ones. */
async function countInTryton(model: string, domain: readonly Wire[] = []): Promise<number> {
  return Number(await rpc.raw(`model.${model}.search_count`, [domain, { ...rpc.context, active_test: false }]));
}

/** Parties with this category, with terms of their own, or in a row of these models. */
async function partiesInRole(category: string, terms: string, models: readonly string[]): Promise<number> {
  const parties = await rpc.search('party.party', [], ['categories.name', terms]);
  const isMarked = ({ 'categories.': categories, [terms]: own }: Fields) =>
    own !== null || (categories as Fields[]).some(({ name }) => name === category);
  const ids = new Set(parties.filter(isMarked).map(({ id }) => id ?? null));
  for (const model of models) for (const { party } of await rpc.search(model, [], ['party'])) ids.add(party ?? null);
  return ids.size;
}

describe('after the first sync', () => {
  const counted = { with_total: true, per_page: 1 } as const;

  test.each([
    ['addresses', 'party.address', () => client.addresses.list(counted)],
    ['accounts', 'account.account', () => client.accounts.list(counted)],
    ['currencies', 'currency.currency', () => client.currencies.list(counted)],
    ['countries', 'country.country', () => client.countries.list(counted)],
    ['languages', 'ir.lang', () => client.languages.list(counted)],
    ['employees', 'company.employee', () => client.employees.list(counted)],
    ['organizations', 'company.company', () => client.organizations.list(counted)],
    ['locations', 'stock.location', () => client.locations.list(counted)],
    ['units', 'product.uom', () => client.units.list(counted)],
    ['inventory items', 'product.product', () => client.inventoryItems.list(counted)],
    ['items', 'product.product', () => client.inventoryItems.list(counted)],
    ['orders', 'purchase.purchase', () => client.purchaseOrders.list(counted)],
    ['lines of orders', 'purchase.line', () => client.purchaseOrderLines.list(counted)],
  ])('there are as many %s as rows of %s', async (_, model, list) => {
    const { total } = (await list()).meta;
    expect(total).toBe(await countInTryton(model));
    expect(total).toBeGreaterThan(0);
  });

  test('vendors and customers are exactly the parties with those roles', async () => {
    const vendors = (await client.vendors.list(counted)).meta.total;
    expect(vendors).toBe(
      await partiesInRole('Supplier', 'supplier_payment_term', ['purchase.purchase', 'purchase.product_supplier']),
    );
    const customers = (await client.customers.list(counted)).meta.total;
    expect(customers).toBe(await partiesInRole('Customer', 'customer_payment_term', ['sale.sale']));
    expect([vendors, customers]).toEqual([31, 25]);
  });

  test('a whole list can be read page by page, each record once', async () => {
    const ids: string[] = [];
    for await (const line of client.purchaseOrderLines.list({ per_page: 20 })) ids.push(line._idValue);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBe(await countInTryton('purchase.line'));
  });

  test('a vendor has the values that it has in Tryton', async () => {
    const { data } = await client.vendors.list({ filter: { code: 'V001' } });
    expect(data).toHaveLength(1);
    expect(data[0]).toMatchObject({
      name: 'Acme Supplies',
      email: 'sales@acme-supplies.example',
      phone: '+49 30 100000',
      website: 'https://acme-supplies.example',
      taxNumber: 'TAX-1000',
      isActive: true,
      leadTimeDays: null,
    });
  });

  test('an order refers to its vendor, lines and items', async () => {
    const row = await rpc.one('purchase.purchase', [['reference', '=', 'REF-1002']], ['party', 'lines', 'state']);
    const { data } = await client.purchaseOrders.list({
      filter: { reference: 'REF-1002' },
      expand: ['vendor', 'lines', 'lines.item'],
    });
    const [order] = data;
    expect(order).toMatchObject({
      _idValue: String(row.id),
      statusCategory: row.state === 'processing' ? 'approved' : 'received',
      vendor: { _idValue: String(row.party), name: 'Acme Fasteners' },
      currency: { _displayValue: 'US Dollar' },
      terms: 'Net 30',
      title: 'Order 3',
    });
    const lines = order?.lines ?? [];
    expect(lines.map(({ _idValue }) => Number(_idValue))).toEqual(row.lines);
    const items = lines.map(({ item }) => item);
    expect(items).toMatchObject([{ name: 'Pump' }, { name: 'Valve DN50' }, { name: 'Gasket set' }]);
  });
});
