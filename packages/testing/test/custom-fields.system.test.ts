import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadPlatform, openDriver } from '@unified/connectors';
import type { Client } from '@unified/sdk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Rpc } from '../../../test-systems/tryton/rpc.ts';
import { inSmallPages, START_MS } from './stack.ts';
import { startTrade, TRADED, type Trade } from './trade.ts';

let trade: Trade;
let client: Client;
let rpc: Rpc;

/**
 * The shipped platform as a customer would extend it: `payment_direct_debit` and `supplier_location` of parties, from the
 * modules account_payment and stock, every stored field of purchase orders, and the delivery date of their lines.
 */
async function extendedPlatform() {
  const folder = await mkdtemp(join(tmpdir(), 'tryton-platform-'));
  try {
    await cp(fileURLToPath(new URL('../../connectors/platforms/tryton', import.meta.url)), folder, { recursive: true });
    const edit = async (name: string, change: (text: string) => string) => {
      const path = join(folder, name);
      const before = await readFile(path, 'utf8');
      const after = change(before);
      expect(after).not.toBe(before);
      await writeFile(path, after);
    };
    await edit('platform.yaml', (text) =>
      text
        .replace(
          'fields: [name, code, active, lang,',
          'fields: [payment_direct_debit, supplier_location, name, code, active, lang,',
        )
        .replace(
          'fields: [rec_name, number, reference,',
          'allFields: true\n      fields: [rec_name, number, reference,',
        )
        .replace('fields: [purchase, type,', 'fields: [delivery_date_edit, delivery_date_store, purchase, type,'),
    );
    const named =
      '{ include: [payment_direct_debit, supplier_location, no_such_field], writable: [payment_direct_debit, supplier_location] }';
    await edit('mappings/vendor.yaml', (text) => `${text}customFields: ${named}\n`);
    await edit('mappings/purchase-order.yaml', (text) => `${text}customFields: { include: all, writable: true }\n`);
    const dates = '{ include: [delivery_date_edit, delivery_date_store], writable: true }';
    await edit('mappings/purchase-order-line.yaml', (text) => `${text}customFields: ${dates}\n`);
    return loadPlatform(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

beforeAll(async () => {
  const platform = await extendedPlatform();
  expect(platform.broken).toEqual([]);
  trade = await startTrade({ systems: { openDriver, platformOf: () => inSmallPages(platform, TRADED) } });
  client = trade.client;
  rpc = trade.tryton.rpc;
}, START_MS);
afterAll(() => trade?.stop());

const fieldsOf = async (entity: string) => {
  const { customFields } = await client.capabilities.get(entity);
  return Object.fromEntries(customFields.map(({ name, ...field }) => [name, field]));
};

describe('fields of Tryton that are named', () => {
  test('are listed by their types in Tryton', async () => {
    expect(await fieldsOf('Vendor')).toMatchObject({
      payment_direct_debit: { type: 'boolean', isWritable: true, isRequired: true },
      supplier_location: { type: 'number', isWritable: true, isRequired: false },
      no_such_field: { type: 'string', isWritable: false },
    });
  });

  test('are written, read back, and filtered by', async () => {
    const location = await rpc.id('stock.location', [['type', '=', 'supplier']]);
    const created = await client.vendors.create({
      name: 'Direct debit',
      customFields: { payment_direct_debit: true, supplier_location: location },
    });
    expect(created.customFields).toEqual({
      ...{ payment_direct_debit: true, supplier_location: location, no_such_field: null },
    });
    const party = await rpc.one(
      'party.party',
      [['id', '=', Number(created._idValue)]],
      ['payment_direct_debit', 'supplier_location'],
    );
    expect(Boolean(party.payment_direct_debit)).toBe(true);
    expect(party.supplier_location).toBe(location);
    const found = await client.vendors.list({ filter: { customFields: { payment_direct_debit: true } } });
    expect(found.data.map(({ id }) => id)).toEqual([created.id]);
    const changed = await client.vendors.update(created.id, { customFields: { payment_direct_debit: false } });
    expect(changed).toMatchObject({
      name: 'Direct debit',
      customFields: { payment_direct_debit: false, supplier_location: location },
    });
  });

  test.each([
    [{ no_such_field: 'x' }, 'SERVICE_READ_ONLY_FIELD'],
    [{ payment_direct_debits: true }, 'SERVICE_INVALID_BODY'],
    [{ payment_direct_debit: 'yes' }, 'SERVICE_INVALID_BODY'],
    [{ payment_direct_debit: null }, 'SERVICE_INVALID_BODY'],
  ])('%j is refused', async (customFields, code) => {
    await expect(client.vendors.create({ name: 'Wrong', customFields })).rejects.toMatchObject({ code });
    expect(await rpc.search('party.party', [['name', '=', 'Wrong']])).toEqual([]);
  });
});

describe('all stored fields of a model', () => {
  test('are those with a single value that no word of the mapping reads, with their types', async () => {
    const fields = await fieldsOf('PurchaseOrder');
    expect(fields).toMatchObject({
      contact: { type: 'number', isWritable: true },
      invoice_method: { type: 'string', isWritable: true, isRequired: true },
      invoice_state: { type: 'string', isWritable: false },
      origin: { type: 'string', isWritable: true },
      create_uid: { type: 'number', isWritable: false },
      tax_amount_cache: { type: 'number' },
    });
    for (const name of ['comment', 'lines', 'invoices', 'party', 'invoice_address', 'rec_name', 'currency_digits'])
      expect(fields).not.toHaveProperty(name);
  });

  test('are written, read back and filtered by, and seen when Tryton changes them', async () => {
    const [vendor] = (await client.vendors.list({ filter: { code: 'V001' } })).data;
    const [item] = (await client.inventoryItems.list({ filter: { code: 'PUMP-1' } })).data;
    const lines = [{ item: { id: item?.id ?? '' }, quantity: 1, unitPrice: 10 }];
    const order = await client.purchaseOrders.create({
      ...{ vendor: { id: vendor?.id ?? '' }, lines },
      customFields: { invoice_method: 'manual' },
    });
    expect(order.customFields).toMatchObject({ invoice_method: 'manual', invoice_state: 'none', contact: null });
    const key = Number(order._idValue);
    expect(await rpc.one('purchase.purchase', [['id', '=', key]], ['invoice_method'])).toMatchObject({
      invoice_method: 'manual',
    });
    const manual = { filter: { customFields: { invoice_method: 'manual' } } };
    expect((await client.purchaseOrders.list(manual)).data.map(({ id }) => id)).toEqual([order.id]);
    await rpc.write('purchase.purchase', key, { invoice_method: 'order' });
    await trade.sync('incremental', ['purchase.purchase']);
    expect((await client.purchaseOrders.list(manual)).data).toEqual([]);
    expect((await client.purchaseOrders.get(order.id)).customFields).toMatchObject({ invoice_method: 'order' });
  });
});

test('fields of lines are written with their order, and kept by lines that omit them', async () => {
  expect(await fieldsOf('PurchaseOrderLine')).toMatchObject({
    delivery_date_edit: { type: 'boolean', isWritable: true },
    delivery_date_store: { type: 'date', isWritable: true },
  });
  const [vendor] = (await client.vendors.list({ filter: { code: 'V001' } })).data;
  const [item] = (await client.inventoryItems.list({ filter: { code: 'PUMP-1' } })).data;
  const line = { item: { id: item?.id ?? '' }, quantity: 1, unitPrice: 10 };
  const agreed = { delivery_date_edit: true, delivery_date_store: '2027-03-01' };
  const order = await client.purchaseOrders.create({
    vendor: { id: vendor?.id ?? '' },
    lines: [{ ...line, customFields: agreed }, line],
  });
  const held = async () => {
    const { data } = await client.purchaseOrderLines.list({ filter: { purchaseOrder: order.id }, sort: 'line' });
    return data.map(({ id, customFields }) => ({ id, ...customFields }));
  };
  const open = { delivery_date_edit: false, delivery_date_store: null };
  const [first, second] = await held();
  expect([first, second]).toMatchObject([agreed, open]);
  const later = { delivery_date_store: '2027-04-01' };
  await client.purchaseOrders.update(order.id, {
    lines: [
      { id: first?.id ?? '', quantity: 2 },
      { id: second?.id ?? '', customFields: later },
    ],
  });
  expect(await held()).toMatchObject([agreed, { ...open, ...later }]);
  await client.purchaseOrders.update(order.id, {
    lines: [{ id: first?.id ?? '', customFields: { delivery_date_store: null } }, { id: second?.id ?? '' }],
  });
  expect(await held()).toMatchObject([
    { ...agreed, delivery_date_store: null },
    { ...open, ...later },
  ]);
});
