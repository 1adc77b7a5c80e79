import type { Client } from '@unified/sdk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decimal, type Rpc } from '../../../test-systems/tryton/rpc.ts';
import { START_MS } from './stack.ts';
import { startTrade, type Trade } from './trade.ts';

let trade: Trade;
let client: Client;
let rpc: Rpc;
let vendor: string;
let pump: string;

beforeAll(async () => {
  trade = await startTrade();
  client = trade.client;
  rpc = trade.tryton.rpc;
  vendor = (await client.vendors.list({ filter: { code: 'V001' } })).data[0]?.id ?? '';
  pump = await itemId('PUMP-1');
}, START_MS);

afterAll(() => trade?.stop());

const itemId = async (code: string) => (await client.inventoryItems.list({ filter: { code } })).data[0]?.id ?? '';
const orderOf = (item: string) =>
  client.purchaseOrders.create({
    vendor: { id: vendor },
    lines: [{ item: { id: item }, quantity: 3, unitPrice: 151.25 }],
  });
const inTryton = (key: string, fields: readonly string[]) =>
  rpc.one('purchase.purchase', [['id', '=', Number(key)]], fields);
const stateOf = async (key: string) => (await inTryton(key, ['state'])).state;

describe('a purchase order', () => {
  test('is created in Tryton as a draft, with header and lines', async () => {
    const order = await client.purchaseOrders.create({
      vendor: { id: vendor },
      currency: { _displayValue: 'EUR' },
      title: 'Pumps for hall B',
      reference: 'Q-7781',
      notes: 'Looking for a second source',
      orderDate: '2026-11-20',
      expectedDeliveryDate: '2026-12-02',
      terms: 'Net 60',
      lines: [
        {
          line: 1,
          item: { id: pump },
          quantity: 3,
          unitPrice: 151.25,
          description: 'Pump, painted blue',
          notes: 'Blue',
        },
        { line: 2, item: { _displayValue: 'Bolt M8' }, quantity: 40 },
      ],
    });
    expect(order).toMatchObject({ statusCategory: 'draft', subtotal: 543.75, reference: 'Q-7781' });
    const fields = ['state', 'reference', 'description', 'comment', 'party.code', 'currency.code', 'payment_term.name'];
    const dates = ['purchase_date', 'delivery_date'];
    const lines = ['product.code', 'quantity', 'unit_price', 'description', 'note'].map((name) => `lines.${name}`);
    expect(await inTryton(order._idValue, [...fields, ...dates, ...lines])).toMatchObject({
      state: 'draft',
      reference: 'Q-7781',
      description: 'Pumps for hall B',
      comment: 'Looking for a second source',
      'party.': { code: 'V001' },
      'currency.': { code: 'EUR' },
      'payment_term.': { name: 'Net 60' },
      purchase_date: { year: 2026, month: 11, day: 20 },
      delivery_date: { year: 2026, month: 12, day: 2 },
      'lines.': [
        {
          quantity: 3,
          unit_price: { decimal: '151.25' },
          description: 'Pump, painted blue',
          note: 'Blue',
          'product.': { code: 'PUMP-1' },
        },
        { quantity: 40, unit_price: { decimal: '2.2500' }, 'product.': { code: 'BOLT-M8' } },
      ],
    });
  });

  test('is changed in Tryton, lines included', async () => {
    const order = await orderOf(pump);
    const lines = [{ item: { id: pump }, quantity: 5, unitPrice: 100 }];
    expect(await client.purchaseOrders.update(order.id, { title: 'More pumps', lines })).toMatchObject({
      title: 'More pumps',
      subtotal: 500,
    });
    expect(await inTryton(order._idValue, ['description', 'lines.quantity'])).toMatchObject({
      description: 'More pumps',
      'lines.': [{ quantity: 5 }],
    });
  });

  test('changes from draft to quotation to processing', async () => {
    const order = await orderOf(pump);
    expect(await stateOf(order._idValue)).toBe('draft');
    const submitted = await client.purchaseOrders.submit(order.id);
    expect(submitted).toMatchObject({ op: 'action', targetId: order.id });
    await client.writes.wait(submitted.writeId);
    expect(await stateOf(order._idValue)).toBe('quotation');
    expect(await client.purchaseOrders.get(order.id)).toMatchObject({ statusCategory: 'pending_approval' });
    await client.writes.wait((await client.purchaseOrders.approve(order.id)).writeId);
    expect(await stateOf(order._idValue)).toBe('processing');
    const approved = await client.purchaseOrders.get(order.id);
    const { number } = await inTryton(order._idValue, ['number']);
    expect(approved).toMatchObject({ statusCategory: 'approved', code: number });
  });

  test('is cancelled with a reason, which Tryton cannot store: a warning reports it', async () => {
    const order = await orderOf(pump);
    const { writeId } = await client.purchaseOrders.cancel(order.id, { reason: { _displayValue: 'Duplicate' } });
    const { status, warnings } = await client.writes.wait(writeId);
    expect(status).toBe('succeeded');
    expect(warnings).toMatchObject([{ code: 'FIELD_NOT_SUPPORTED', field: 'reason' }]);
    expect(await stateOf(order._idValue)).toBe('cancelled');
    expect(await client.purchaseOrders.get(order.id)).toMatchObject({ statusCategory: 'cancelled' });
  });

  test('that Tryton refuses to process keeps its state; the write record contains the message of Tryton', async () => {
    const order = await orderOf(await itemId('NO-ACCOUNT'));
    await client.writes.wait((await client.purchaseOrders.submit(order.id)).writeId);
    const { writeId } = await client.purchaseOrders.approve(order.id);
    await expect(client.writes.wait(writeId)).rejects.toMatchObject({ code: 'SERVICE_REJECTED', writeId });
    const { status, error } = await client.writes.get(writeId);
    expect([status, error?.code]).toEqual(['failed', 'SERVICE_REJECTED']);
    expect(error?.message).toMatch(/^There is no "Account Category" defined for .*Unaccounted thing/);
    expect(await stateOf(order._idValue)).toBe('confirmed');
  });

  test('with a text-only line in Tryton is listed with that line', async () => {
    const order = await orderOf(pump);
    const comment = { type: 'comment', description: 'Deliver in the morning' };
    const free = { type: 'line', description: 'Freight', quantity: 1, unit_price: decimal('9.5000') };
    await rpc.write('purchase.purchase', Number(order._idValue), { lines: [['create', [comment, free]]] });
    await trade.sync('incremental', ['purchase.purchase', 'purchase.line']);
    const { data } = await client.purchaseOrderLines.list({ filter: { purchaseOrder: order.id }, sort: 'line' });
    expect(data.map(({ lineType, description }) => [lineType, description])).toEqual([
      ['item', null],
      ['comment', 'Deliver in the morning'],
      ['item', 'Freight'],
    ]);
  });
});
