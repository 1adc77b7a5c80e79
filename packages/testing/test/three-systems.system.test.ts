import type { Client } from '@unified/sdk';
import { checkedFetch, signIn } from '@unified/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type RunningKillBill, startKillBill } from '../../../test-systems/killbill/start.ts';
import { type RunningTracker, startTracker } from '../../../test-systems/request-tracker/start.ts';
import { type RunningTryton, startTryton } from '../../../test-systems/tryton/start.ts';
import { sdkClient } from './sdk-client.ts';
import { START_MS, type Stack, startStack } from './stack.ts';

let tracker: RunningTracker;
let tryton: RunningTryton;
let killBill: RunningKillBill;
let stack: Stack;
let manager: string;
const stops: (() => Promise<void>)[] = [];

beforeAll(async () => {
  tracker = await startTracker();
  stops.push(() => tracker.stop());
  tryton = await startTryton();
  stops.push(() => tryton.stop());
  killBill = await startKillBill();
  stops.push(() => killBill.stop());
  stack = await startStack();
  stops.push(() => stack.stop());
  await stack.startWorker();
  manager = (await signIn(stack.database.store, stack.baseUrl)).token;
}, START_MS);

afterAll(async () => {
  for (const stop of stops.reverse()) await stop();
});

/** Connects a system with the Management API, as an application does, and calls it with the token of the connection. */
async function connected(platform: string, settings: object): Promise<Client> {
  const post = async (path: string, json: object) => {
    const url = `${stack.baseUrl}/v4${path}`;
    const headers = { authorization: `Bearer ${manager}` };
    const { status, body } = await checkedFetch<{ data: { id: string; token: string } }>(url, {
      method: 'POST',
      json,
      headers,
    });
    expect(status, JSON.stringify(body)).toBe(201);
    return body.data;
  };
  const { id } = await post('/connections', { platform, name: platform, settings });
  return sdkClient(stack.baseUrl, (await post(`/connections/${id}/token`, {})).token);
}

/** Waits until the first sync has copied a record. */
function copied<Found>(list: () => Promise<{ data: readonly Found[] }>): Promise<Found> {
  const look = async () => {
    const [found] = (await list()).data;
    if (found === undefined) throw new Error('It is not copied yet.');
    return found;
  };
  return vi.waitFor(look, { timeout: START_MS, interval: 500 });
}

const JOB = 'Replace the bearings of pump 1';
const PRICE = 4.2;
const BILLED = 9.9;
const QUANTITY = 3;

test(
  'the material of a work order in Request Tracker is bought with an order in Tryton and billed in Kill Bill',
  async () => {
    const maintenance = await connected('request-tracker', { url: tracker.url, token: tracker.token });
    const { url, database, user, password } = tryton;
    const purchasing = await connected('tryton', { url, database, user, password });
    const { apiKey, apiSecret, ...bill } = killBill;
    const credentials = { url: bill.url, user: bill.user, password: bill.password, apiKey, apiSecret };
    const billing = await connected('killbill', credentials);

    await copied(() => maintenance.sites.list({ filter: { name: 'Maintenance' } }));
    const site = { _displayValue: 'Maintenance' };
    const job = await maintenance.workOrders.create({ name: JOB, priorityLevel: 2, site });
    await maintenance.writes.wait((await maintenance.workOrders.start(job.id, {})).writeId);

    const vendor = await copied(() => purchasing.vendors.list({ filter: { code: 'V001' } }));
    const bearing = await copied(() => purchasing.inventoryItems.list({ filter: { code: 'BEAR-6204' } }));
    const order = await purchasing.purchaseOrders.create({
      vendor: { id: vendor.id },
      title: JOB,
      reference: `Work order ${job.code}`,
      lines: [{ item: { id: bearing.id }, quantity: QUANTITY, unitPrice: PRICE }],
    });
    await purchasing.writes.wait((await purchasing.purchaseOrders.submit(order.id)).writeId);
    await purchasing.writes.wait((await purchasing.purchaseOrders.approve(order.id)).writeId);
    const approved = await purchasing.purchaseOrders.get(order.id);
    expect(approved).toMatchObject({ statusCategory: 'approved', subtotal: 12.6 });

    const customer = await copied(() => billing.customers.list({ filter: { code: 'C-002' } }));
    const invoice = await billing.invoices.create({
      invoiceType: 'accounts_receivable',
      customer: { id: customer.id },
      lines: [
        { description: `${bearing.name}, order ${approved.code}`, quantity: QUANTITY, unitPrice: BILLED },
        { description: JOB, quantity: 1, unitPrice: 80 },
      ],
    });
    expect(invoice).toMatchObject({ statusCategory: 'pending_approval', total: 109.7 });
    await billing.writes.wait((await billing.invoices.approve(invoice.id, { note: `Work order ${job.code}` })).writeId);
    const sent = await billing.invoices.get(invoice.id);
    expect(sent).toMatchObject({ statusCategory: 'approved', balance: 109.7 });
    const payment = await billing.payments.create({
      direction: 'incoming',
      customer: { id: customer.id },
      transactionDate: '2026-11-20',
      amount: 109.7,
      allocations: [{ type: 'invoice', target: { id: invoice.id, rel: 'Invoice' }, amount: 109.7 }],
    });
    expect(payment).toMatchObject({ statusCategory: 'paid', transactionDate: '2026-11-20' });

    const subject = { id: job.id, rel: 'WorkOrder' } as const;
    const note = `Bought with order ${approved.code}, billed with invoice ${sent.code}`;
    await maintenance.comments.create({ subject, body: note });
    await maintenance.writes.wait((await maintenance.workOrders.complete(job.id, {})).writeId);

    expect(await maintenance.workOrders.get(job.id)).toMatchObject({ statusCategory: 'completed' });
    expect(await tracker.api.one(`/ticket/${job._idValue}`)).toMatchObject({ Status: 'resolved' });
    expect(await tracker.api.texts(job._idValue)).toContain(note);
    const fields = ['number', 'state', 'reference', 'party.code', 'lines.quantity', 'lines.product.code'];
    expect(await tryton.rpc.one('purchase.purchase', [['id', '=', Number(order._idValue)]], fields)).toMatchObject({
      number: approved.code,
      state: 'processing',
      reference: `Work order ${job.code}`,
      'party.': { code: 'V001' },
      'lines.': [{ quantity: QUANTITY, 'product.': { code: 'BEAR-6204' } }],
    });
    const stored = await killBill.api.one(`/invoices/${invoice._idValue}`);
    expect(stored).toMatchObject({ status: 'COMMITTED', amount: 109.7, balance: 0, invoiceNumber: sent.code });
    const isPaid = async () => expect(await billing.invoices.get(invoice.id)).toMatchObject({ statusCategory: 'paid' });
    await vi.waitFor(isPaid, { timeout: START_MS, interval: 500 });
  },
  START_MS,
);
