import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { audit, type JournalLine, type Reference } from './ledger-audit.ts';
import { type Company, START_MS, startCompany } from './served-company.ts';

// Tests wait for a write as long as the service does: 30 seconds.
vi.setConfig({ testTimeout: 120_000 });

interface Entry {
  readonly id: string;
  readonly code: string;
  readonly transactionDate: string;
  readonly currency: Reference;
  readonly totalDebit: number;
  readonly totalCredit: number;
  readonly sourceDocument: { readonly id: string } | null;
}
interface Document {
  readonly id: string;
  readonly code: string;
  readonly total: number;
  readonly balance: number;
}

const TODAY = new Date().toISOString().slice(0, 10);
const none = { trialBalance: [], companyBalance: [], openItems: [], stock: [], balances: [], taxes: [] };

let company: Company;

beforeAll(async () => {
  company = await startCompany();
}, START_MS);
afterAll(() => company?.stop());

async function write<T = Document>(path: string, json: object = {}): Promise<T> {
  const headers = { 'Idempotency-Key': randomUUID(), Prefer: 'wait=30' };
  const { status, body } = await company.send<{ data: T }>(path, { method: 'POST', headers, json });
  expect(status, JSON.stringify(body)).toBeLessThan(202);
  return body.data;
}

/** The lines of the entries that were posted for a document: account, amount, currency. */
async function postingsOf({ id }: { readonly id: string }) {
  const entries = (await company.all<Entry>('/journal-entries')).filter(
    ({ sourceDocument }) => sourceDocument?.id === id,
  );
  const ids = new Set(entries.map((entry) => entry.id));
  const lines = (await company.all<JournalLine>('/journal-lines')).filter(({ journalEntry }) =>
    ids.has(journalEntry.id),
  );
  return lines.map(({ account, amount, currency }) => [account._displayValue, amount, currency._displayValue]);
}

const invoice = (more: object) =>
  write('/invoices', {
    ...{ invoiceType: 'accounts_receivable', customer: { _displayValue: 'Baker & Sons' }, invoiceDate: TODAY },
    ...{ organization: { _displayValue: 'Northwind Works' }, currency: { _displayValue: 'US dollar' } },
    lines: [{ description: 'Assembly', quantity: 10, unitPrice: 100, taxRate: { _displayValue: 'S19' } }],
    ...more,
  });

async function posted(more: object = {}): Promise<Document> {
  const { id } = await invoice(more);
  await write(`/invoices/${id}/actions/submit`);
  await write(`/invoices/${id}/actions/approve`);
  return (await company.send<{ data: Document }>(`/invoices/${id}`)).body.data;
}

const pay = (document: Document, more: object) =>
  write('/payments', {
    ...{ direction: 'incoming', customer: { _displayValue: 'Baker & Sons' }, transactionDate: TODAY },
    ...{ organization: { _displayValue: 'Northwind Works' }, currency: { _displayValue: 'US dollar' } },
    ...{
      amount: document.total,
      allocations: [{ type: 'invoice', target: { id: document.id }, amount: document.total }],
    },
    ...more,
  });

test('the books of the company are balanced, and show its open items and its stock', async () => {
  expect(await audit(company)).toEqual(none);
});

describe('a document is posted', () => {
  test('when an invoice is approved, and reversed when it is cancelled', async () => {
    const document = await posted();
    const sale = [
      ['Trade receivables domestic', 1190, 'US dollar'],
      ['Spare parts domestic', -1000, 'US dollar'],
      ['Output tax', -190, 'US dollar'],
    ];
    expect((await postingsOf(document)).sort()).toEqual(sale.sort());
    await write(`/invoices/${document.id}/actions/cancel`);
    const sums = Map.groupBy(await postingsOf(document), ([account]) => account);
    expect([...sums.values()].map((lines) => lines.reduce((sum, [, amount]) => sum + Number(amount), 0))).toEqual([
      0, 0, 0,
    ]);
  });

  test('with the exchange difference when a payment settles an invoice at another rate', async () => {
    const document = await posted({ exchangeRate: 0.9 });
    const payment = await pay(document, { exchangeRate: 0.95 });
    expect((await postingsOf(payment)).sort()).toEqual(
      [
        ['House bank EUR', 1190, 'US dollar'],
        ['Trade receivables domestic', -1190, 'US dollar'],
        ['Exchange adjustments', 59.5, 'Euro'],
        ['Currency gains', -59.5, 'Euro'],
      ].sort(),
    );
    const loss = await posted({ exchangeRate: 0.9 });
    const less = await pay(loss, { exchangeRate: 0.88 });
    expect(await postingsOf(less)).toContainEqual(['Currency losses', 23.8, 'Euro']);
  });

  test('by a credit note, and by what it settles', async () => {
    const document = await posted();
    const credit = await write('/credit-notes', {
      ...{ creditType: 'accounts_receivable', customer: { _displayValue: 'Baker & Sons' }, issueDate: TODAY },
      ...{ organization: { _displayValue: 'Northwind Works' }, currency: { _displayValue: 'US dollar' }, total: 119 },
      allocations: [{ type: 'invoice', target: { id: document.id }, amount: 119 }],
    });
    expect((await postingsOf(credit)).length).toBeGreaterThanOrEqual(2);
  });

  test('on the first day of a period that is not closed', async () => {
    const document = await posted({ invoiceDate: `${new Date().getUTCFullYear() - 1}-01-15` });
    const [entry] = (await company.all<Entry>('/journal-entries')).filter(
      ({ sourceDocument }) => sourceDocument?.id === document.id,
    );
    expect(entry?.transactionDate).toMatch(/-01$/);
    expect(Date.now() - Date.parse(entry?.transactionDate ?? '')).toBeLessThan(150 * 86_400_000);
  });

  test('if stock is corrected', async () => {
    const [level] = (
      await company.send<{ data: { item: Reference; location: Reference; unitCost: number; id: string }[] }>(
        '/stock-levels?filter[stockStatus]=unrestricted&filter[onHand:gt]=5&per_page=1',
      )
    ).body.data;
    const { id } = await write('/inventory-documents', {
      ...{ documentType: 'adjustment', location: level?.location, lines: [{ item: level?.item, quantity: -2 }] },
    });
    await write(`/inventory-documents/${id}/actions/post`);
  });
});

describe('the tax of a line is', () => {
  interface Customer extends Reference {
    readonly taxNumber: string | null;
    readonly billingAddress: { readonly countryCode: string };
  }
  const lineOf = async (customer: Reference, organization: string) => {
    const { id } = await invoice({
      ...{ customer, organization: { _displayValue: organization }, currency: { _displayValue: 'Euro' } },
      lines: [{ description: 'Assembly', quantity: 1, unitPrice: 100 }],
    });
    const lines = await company.send<{ data: { taxRate: { _displayValue: string }; taxAmount: number }[] }>(
      `/invoice-lines?filter[invoice]=${id}&expand=taxRate`,
    );
    return lines.body.data[0];
  };
  const customerIn = async (country: string, hasNumber: boolean) => {
    const customers = await company.all<Customer>('/customers');
    const isThere = ({ billingAddress }: Customer) => billingAddress.countryCode === country;
    const found = customers.find((each) => isThere(each) && (each.taxNumber !== null) === hasNumber);
    return { id: found?.id ?? '', _displayValue: found?._displayValue ?? '' };
  };

  test.each([
    ['a customer at home', 'DE', true, 'Northwind Works', 'Output tax 19 %', 19],
    [
      'a company in the EU, which owes it itself',
      'FR',
      true,
      'Northwind Works',
      'Intra-Community supply, free of tax',
      0,
    ],
    ['a customer in the EU without a tax number', 'FR', false, 'Northwind Works', 'VAT France 20 %', 20],
    ['a customer outside of the EU', 'NO', true, 'Northwind Works', 'Export, free of tax', 0],
    ['a customer of the company in the United Kingdom', 'GB', true, 'Northwind UK', 'VAT 20 %', 20],
    ['a French customer of that company', 'FR', true, 'Northwind UK', 'Export from the United Kingdom, zero-rated', 0],
  ])('for %s', async (_, country, hasNumber, organization, name, amount) => {
    const line = await lineOf(await customerIn(country, hasNumber), organization);
    expect([line?.taxRate._displayValue, line?.taxAmount]).toEqual([name, amount]);
  });
});

test('the books are still balanced afterwards', async () => {
  expect(await audit(company)).toEqual(none);
});
