import type { Client } from '@unified/sdk';
import type { Scope } from '@unified/store';
import { connect } from '@unified/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { remove } from '../../connectors/test/documented/quickbooks-online/books.ts';
import { type QuickBooks, startQuickBooks } from '../../connectors/test/documented/quickbooks-online/server.ts';
import { sdkClient } from './sdk-client.ts';
import { START_MS, type Stack, startStack } from './stack.ts';
import { synchronize } from './synchronize.ts';

let stack: Stack;
let system: QuickBooks;
let client: Client;
let scope: Scope;

beforeAll(async () => {
  system = await startQuickBooks();
  stack = await startStack();
  await stack.startWorker();
  const given = { platform: 'quickbooks-online', settings: system.settings };
  const connected = await connect(stack.database.store, given);
  scope = connected.scope;
  client = await sdkClient(stack.baseUrl, connected.token);
  await synchronize(stack, scope, 'full');
}, START_MS);

afterAll(async () => {
  await stack?.stop();
  await system?.stop();
});

const only = async <T>(list: Promise<{ data: T[] }>): Promise<T> => {
  const { data } = await list;
  return data.length === 1 && data[0] !== undefined ? data[0] : expect.fail(`expected one record: ${data.length}`);
};

test('references of documents lead to the records that they mean, whatever identifies these', async () => {
  const bill = await only(client.invoices.list({ filter: { code: 'B-77' }, expand: ['lines'] }));
  expect(bill).toMatchObject({
    ...{
      vendor: { _displayValue: 'Bolts & Co' },
      currency: { _displayValue: 'United States Dollar' },
      statusCategory: 'approved',
    },
    lines: [{ item: { _displayValue: 'Pump' } }, { description: 'Freight', account: { _displayValue: 'Costs' } }],
  });
  const line = await only(client.journalLines.list({ filter: { debit: 30 } }));
  expect(line).toMatchObject({ journalEntry: { _displayValue: 'J-1' }, vendor: { _displayValue: 'Bolts & Co' } });
});

test('no value of any stream is a problem', async () => {
  const found = (await stack.engine.syncStatus(scope)).map(({ stream, problems }) => [stream, problems]);
  expect(found.filter(([, problems]) => problems?.length !== 0)).toEqual([]);
});

test('an invoice is created, changed and voided, and each write is read back', async () => {
  const [customer] = (await client.customers.list({ filter: { name: 'Harbor' } })).data;
  const created = await client.invoices.create({
    ...{ invoiceType: 'accounts_receivable', invoiceDate: '2026-11-26', customer: { id: customer?.id ?? '' } },
    lines: [{ item: { _displayValue: 'Pump' }, quantity: 2, unitPrice: 10 }],
  } as never);
  expect(created).toMatchObject({ total: 20, statusCategory: 'approved' });
  const lines = [{ id: created.lines?.[0]?.id, quantity: 3 }];
  const changed = await client.invoices.update(created.id, { notes: 'Three', lines } as never);
  expect(changed).toMatchObject({ total: 30, notes: 'Three' });
  const { writeId } = await client.invoices.cancel(created.id, {} as never);
  expect(await client.writes.wait(writeId)).toMatchObject({ status: 'succeeded' });
  expect(await client.invoices.get(created.id)).toMatchObject({ statusCategory: 'void', total: 0 });
});

test('a transaction that was deleted in QuickBooks Online is gone after the next incremental run', async () => {
  const order = await only(client.purchaseOrders.list({ filter: { code: 'PO-1' } }));
  remove(system.books, 'PurchaseOrder', order._idValue ?? '');
  await synchronize(stack, scope, 'incremental');
  expect((await client.purchaseOrders.list({ filter: { code: 'PO-1' } })).data).toEqual([]);
});
