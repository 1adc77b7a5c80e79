import type { Row } from '@unified/connectors';
import type { MappedRecord } from '@unified/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { day } from './day.ts';
import { desk, meant } from './desk.ts';
import { type Sandbox, startSandbox } from './sandbox.ts';

let sandbox: Sandbox;
const { create, replace, act, named, coded } = desk(() => sandbox);

beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());

const baker = () => named('Customer', 'Baker & Sons');
const acme = () => named('Vendor', 'ACME Supplies');

/** An invoice to Baker & Sons for 200.00 without tax. */
async function draft(more: Row = {}): Promise<string> {
  return create('Invoice', {
    invoiceType: 'accounts_receivable',
    customer: await baker(),
    invoiceDate: day(0),
    lines: [{ description: 'Assembly', quantity: 1, unitPrice: 200, taxRate: await coded('TaxRate', 'S0') }],
    ...more,
  });
}

async function approved(more: Row = {}): Promise<string> {
  const key = await draft(more);
  await act('Invoice', key, 'submit');
  await act('Invoice', key, 'approve');
  return key;
}

/** The open items of a document, by installment. */
async function items(entity: string, document: string): Promise<MappedRecord[]> {
  const all = await sandbox.records(entity);
  const own = all.filter(({ references }) => [references.document].flat()[0]?.value === document);
  return own.sort((one, other) => Number(one.values.installmentNumber) - Number(other.values.installmentNumber));
}

const open = async (document: string) =>
  (await items('Receivable', document)).map(({ values }) => [values.dueDate, values.originalAmount, values.openAmount]);

async function pay(key: string, amount: number, allocated = amount): Promise<string> {
  const { values } = await sandbox.record('Invoice', key);
  const allocations = [{ type: 'invoice', target: meant('Invoice', String(values.code)), amount: allocated }];
  const input = { direction: 'incoming', customer: await baker(), transactionDate: day(0), amount, allocations };
  return create('Payment', input);
}

describe('the open items of an invoice', () => {
  test('appear when it is posted', async () => {
    const key = await draft();
    expect(await items('Receivable', key)).toEqual([]);
    await act('Invoice', key, 'submit');
    await act('Invoice', key, 'approve');
    const { values: invoice } = await sandbox.record('Invoice', key);
    const [item] = await items('Receivable', key);
    expect(item).toMatchObject({
      values: {
        documentNumber: invoice.invoiceNumber,
        documentType: 'invoice',
        dueDate: invoice.dueDate,
        originalAmount: 200,
        openAmount: 200,
        paidAmount: 0,
        installmentNumber: 1,
        installmentCount: 1,
        isOnHold: false,
      },
      references: { document: { entity: 'Invoice', value: key }, invoice: { entity: 'Invoice', value: key } },
    });
    expect(await items('Payable', key)).toEqual([]);
  });

  test('have the discount of its payment term and the amount in the currency of the company', async () => {
    const terms = await sandbox.records('PaymentTerm');
    const [term] = terms.filter(({ values }) => Number(values.discountPercent) > 0);
    const { discountPercent, discountDays, code } = term?.values ?? {};
    const more = { paymentTerm: await coded('PaymentTerm', String(code)), exchangeRate: 1.25 };
    const [item] = await items('Receivable', await approved(more));
    expect(item?.values).toMatchObject({
      ...{ discountAmount: (200 * Number(discountPercent)) / 100, discountDate: day(Number(discountDays)) },
      ...{ openAmount: 200, exchangeRate: 1.25, companyOpenAmount: 250, dunningLevel: 0 },
    });
  });

  test('are its installments, and payments settle the earliest first', async () => {
    const key = await approved({ paymentTerm: await coded('PaymentTerm', 'I343') });
    expect(await open(key)).toEqual([
      [day(0), 60, 60],
      [day(45), 80, 80],
      [day(90), 60, 60],
    ]);
    await pay(key, 100);
    expect(await open(key)).toEqual([
      [day(45), 80, 40],
      [day(90), 60, 60],
    ]);
    await pay(key, 100);
    expect(await open(key)).toEqual([]);
  });

  test('disappear when it is cancelled', async () => {
    const key = await approved();
    await act('Invoice', key, 'cancel');
    expect(await open(key)).toEqual([]);
  });

  test('are classified by their age', async () => {
    const due = day(-45);
    const key = await approved({ invoiceDate: day(-75), dueDate: due });
    const [item] = await items('Receivable', key);
    expect(day(-Number(item?.values.daysOverdue))).toBe(due);
    expect(item?.values.agingBucket).toBe('days_31_to_60');
  });

  test('of the company are exactly the unpaid installments of its posted invoices', async () => {
    const invoices = await sandbox.records('Invoice');
    const states = ['approved', 'sent', 'partially_paid', 'overdue'];
    const unpaid = invoices.filter(({ values }) => states.includes(String(values.statusCategory)));
    const sums = new Map(unpaid.map(({ _idValue, values }) => [_idValue, values.balance]));
    const found = new Map<unknown, number>();
    for (const entity of ['Payable', 'Receivable'])
      for (const { values, references } of await sandbox.records(entity)) {
        const document = [references.document].flat()[0];
        if (document?.entity !== 'Invoice') continue;
        found.set(document.value, (found.get(document.value) ?? 0) + Math.round(Number(values.openAmount) * 100));
      }
    expect([...found].sort()).toEqual([...sums].map(([id, sum]) => [id, Math.round(Number(sum) * 100)]).sort());
  });
});

test('a payment in advance is an open item with a negative amount', async () => {
  const key = await approved();
  const payment = await pay(key, 250, 200);
  const [item] = await items('Receivable', payment);
  expect(item).toMatchObject({
    values: { documentType: 'prepayment', originalAmount: -250, openAmount: -50 },
    references: { document: { entity: 'Payment' } },
  });
});

describe('an item that is entered without a document', () => {
  test('posts one', async () => {
    const key = await create('Payable', {
      vendor: await acme(),
      documentNumber: 'OB-1',
      issueDate: day(-10),
      dueDate: day(20),
      originalAmount: 255,
    });
    const { values, references } = await sandbox.record('Payable', key);
    expect(values).toMatchObject({ code: expect.stringMatching(/^OP-\d+$/), documentType: 'invoice', openAmount: 255 });
    const invoice = await sandbox.record('Invoice', String([references.invoice].flat()[0]?.value));
    expect(invoice.values).toMatchObject({
      statusCategory: 'approved',
      invoiceNumber: 'OB-1',
      total: 255,
      balance: 255,
    });
    expect(await items('Payable', invoice._idValue)).toHaveLength(1);
  });

  test('can be a credit', async () => {
    const credit = { vendor: await acme(), documentType: 'credit', dueDate: day(0), originalAmount: -40 };
    const key = await create('Payable', credit);
    expect((await sandbox.record('Payable', key)).values).toMatchObject({ originalAmount: -40, openAmount: -40 });
    await expect(create('Payable', { ...credit, originalAmount: 40 })).rejects.toMatchObject({
      words: expect.stringMatching(/^OP-011/),
    });
  });

  test('cannot be a payment', async () => {
    const input = { vendor: await acme(), documentType: 'prepayment', dueDate: day(0), originalAmount: -40 };
    await expect(create('Payable', input)).rejects.toMatchObject({ words: expect.stringMatching(/^OP-010/) });
  });
});

describe('a replacement of an item', () => {
  const input = async (): Promise<Row> => ({ customer: await baker(), dueDate: day(30), originalAmount: 180 });

  test('changes how it is paid, and the due date of its invoice', async () => {
    const key = await create('Receivable', { ...(await input()), notes: 'Old', documentNumber: 'OB-2' });
    const { values, references } = await replace('Receivable', key, {
      ...(await input()),
      dueDate: day(60),
      isOnHold: true,
    });
    expect(values).toMatchObject({
      dueDate: day(60),
      isOnHold: true,
      notes: null,
      documentNumber: 'OB-2',
      openAmount: 180,
    });
    const invoice = await sandbox.record('Invoice', String([references.invoice].flat()[0]?.value));
    expect(invoice.values.dueDate).toBe(day(60));
  });

  test('cannot change what was posted', async () => {
    const key = await create('Receivable', await input());
    const change = replace('Receivable', key, { ...(await input()), originalAmount: 150 });
    await expect(change).rejects.toMatchObject({
      words: expect.stringMatching(/^OP-012: .* amount cannot be changed/),
    });
  });
});
