import { checkedFetch, signIn } from '@unified/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createBook } from '../../../test-systems/gnucash/book.ts';
import { startMariaDb } from '../../connectors/test/running-mariadb.ts';
import { sdkClient } from './sdk-client.ts';
import { START_MS, type Stack, startStack } from './stack.ts';

let url: string;
let stack: Stack;
const stops: (() => Promise<void>)[] = [];

beforeAll(async () => {
  const server = await startMariaDb();
  stops.push(() => server.stop());
  url = server.url;
  await createBook(url);
  stack = await startStack();
  stops.push(() => stack.stop());
  await stack.startWorker();
}, START_MS);

afterAll(async () => {
  for (const stop of stops.reverse()) await stop();
});

/** Calls the Management API, as an application does. */
async function post(path: string, json: object, token: string): Promise<{ id: string; token: string }> {
  const headers = { authorization: `Bearer ${token}` };
  const sent = { method: 'POST', json, headers };
  const { status, body } = await checkedFetch<{ data: { id: string; token: string } }>(`${stack.baseUrl}${path}`, sent);
  expect(status, JSON.stringify(body)).toBe(201);
  return body.data;
}

test(
  'a book of GnuCash is connected and copied, and its records refer to each other',
  async () => {
    const { token } = await signIn(stack.database.store, stack.baseUrl);
    const connection = { platform: 'gnucash', name: 'Book', settings: { url } };
    const { id } = await post('/v4/connections', connection, token);
    const client = await sdkClient(stack.baseUrl, (await post(`/v4/connections/${id}/token`, {}, token)).token);
    // Lines and payments refer to invoices, which are read first.
    const isCopied = async () => {
      const { data } = await client.invoices.list({ filter: { code: 'INV-1' } });
      expect(data[0]?.lines).toHaveLength(2);
      expect((await client.journalLines.list({ per_page: 100 })).data).toHaveLength(80);
      expect((await client.payments.list()).data).toHaveLength(4);
    };
    await vi.waitFor(isCopied, { timeout: 120_000, interval: 500 });

    const expand = ['customer', 'project', 'lines', 'paymentTerm'] as const;
    const { data: invoices } = await client.invoices.list({ filter: { code: 'INV-1' }, expand: [...expand] });
    expect(invoices).toMatchObject([
      {
        ...{ statusCategory: 'partially_paid', total: 609.66, balance: 309.66, dueDate: '2026-10-31' },
        ...{
          customer: { name: 'Customer 1 LLC' },
          project: { name: 'Pump overhaul' },
          paymentTerm: { name: 'Net 30' },
        },
        lines: [{ description: 'Bolt' }, { description: 'Pump', discountPercent: 10 }],
      },
    ]);
    const target = { id: invoices[0]?.id };
    const { data: payments } = await client.payments.list({ filter: { reference: 'P-1' } });
    expect(payments).toMatchObject([{ amount: 300, allocations: [{ type: 'invoice', target }] }]);
    const { data: entries } = await client.journalEntries.list({ filter: { code: 'INV-1' } });
    expect(entries).toMatchObject([{ sourceDocument: target, totalDebit: 609.66, lines: [{}, {}, {}] }]);
    const [bank] = (await client.accounts.list({ filter: { code: '1100' } })).data;
    const { data: lines } = await client.journalLines.list({ filter: { account: bank?.id ?? '' }, per_page: 100 });
    const sum = lines.reduce((cents, { amount }) => cents + Math.round((amount ?? 0) * 100), 0);
    expect(sum / 100).toBe(bank?.balance);
  },
  START_MS,
);
