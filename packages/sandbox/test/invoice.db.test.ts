import type { Row } from '@unified/connectors';
import type { Reference } from '@unified/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { day, daysAfterMonth } from './day.ts';
import { desk, meant, readBy } from './desk.ts';
import { type Sandbox, startSandbox } from './sandbox.ts';

let sandbox: Sandbox;
const { create, replace, act, approve, named, coded } = desk(() => sandbox);

beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());

const invoice = async (key: string) => (await sandbox.record('Invoice', key)).values;

/** An invoice to Baker & Sons for 500 bolts and their freight: 87.50 and 19 % tax. */
async function sale(more: Row = {}): Promise<string> {
  return create('Invoice', {
    invoiceType: 'accounts_receivable',
    customer: await named('Customer', 'Baker & Sons'),
    invoiceDate: day(0),
    lines: [
      { item: await named('Item', 'Hex bolt M8 × 40'), quantity: 500, unitPrice: 0.15 },
      { lineType: 'freight', description: 'Freight', quantity: 1, unitPrice: 12.5 },
    ],
    ...more,
  });
}

async function approved(more: Row = {}): Promise<string> {
  const key = await sale(more);
  await act('Invoice', key, 'submit');
  await act('Invoice', key, 'approve');
  return key;
}

async function update(key: string, input: Row): Promise<void> {
  const { values } = sandbox.mapping('Invoice').write(input, { op: 'update' });
  await sandbox.driver.writes.update(sandbox.stream('Invoice'), key, values, sandbox.intent());
}

/** Pays a part of an invoice, which the payment refers to by its code. */
async function pay(key: string, amount: number, type = 'invoice'): Promise<string> {
  const { code } = await invoice(key);
  const allocations = [{ type, target: meant('Invoice', String(code)), amount }];
  const customer = await named('Customer', 'Baker & Sons');
  return create('Payment', { direction: 'incoming', customer, transactionDate: day(5), amount, allocations });
}

describe('an invoice', () => {
  test('gets number, currency, due date, tax and totals from the system, and its lines are records', async () => {
    const key = await sale({ paymentTerm: await coded('PaymentTerm', 'EOM30') });
    const { values, references } = await sandbox.record('Invoice', key);
    expect(values).toMatchObject({
      code: expect.stringMatching(/^IN-\d+$/),
      invoiceNumber: values.code,
      statusCategory: 'draft',
      dueDate: daysAfterMonth(30),
      subtotal: 87.5,
      taxTotal: 16.63,
      total: 104.13,
      balance: 104.13,
    });
    expect(references).toMatchObject({
      currency: { value: expect.stringMatching(/^[A-Z]{3}$/) },
      lines: [1, 2].map((line) => ({ entity: 'InvoiceLine', by: '_idValue', value: `${key}/${line}` })),
    });
    expect(await sandbox.record('InvoiceLine', `${key}/1`)).toMatchObject({
      values: { line: 1, lineType: 'item', description: 'Hex bolt M8 × 40', total: 75, taxAmount: 14.25 },
      references: { invoice: { value: key }, unit: { value: 'STK' }, taxRate: { value: '1' } },
    });
  });

  test('has the payment term of its customer by default, and a due date that follows from it', async () => {
    const key = await sale();
    const { references } = await sandbox.record('Invoice', key);
    const customer = await named('Customer', 'Baker & Sons');
    const own = (await sandbox.record('Customer', String(customer._idValue))).references.paymentTerm;
    expect(references.paymentTerm).toEqual(own);
    expect((await invoice(key)).dueDate).toBe(day(30));
    await update(key, { paymentTerm: await coded('PaymentTerm', 'N14') });
    expect((await invoice(key)).dueDate).toBe(day(14));
    await update(key, { invoiceDate: day(-40) });
    await approve('Invoice', key);
    expect(await invoice(key)).toMatchObject({ dueDate: day(-26), agingBucket: 'days_1_to_30' });
  });

  test('accepts every field of its header and lines', async () => {
    const [place, account, unit] = [
      await named('Location', 'Hall A HAM'),
      await coded('Account', '4030'),
      await coded('BusinessUnit', '1110'),
    ];
    const tags = [await coded('Taxonomy', 'X-OPEX'), await coded('Taxonomy', 'X-ENER')];
    const header = {
      code: 'IN-T1',
      invoiceNumber: 'A-77',
      description: 'Repair of two gearboxes',
      documentType: 'prepayment',
      invoiceDate: day(-19),
      dueDate: day(-5),
      receivedDate: day(-17),
      exchangeRate: 1.1,
      isTaxInclusive: true,
      discountPercent: 2,
      discountAmount: 1,
      shippingCost: 9.9,
      billingAddress: {
        addressee: 'Accounts',
        line1: 'Dock Road 4',
        city: 'Leeds',
        postalCode: 'LS1',
        countryCode: 'GB',
      },
      shippingAddress: {
        addressee: 'Gate 3',
        line1: 'Mill Lane 1',
        city: 'Leeds',
        postalCode: 'LS2',
        countryCode: 'GB',
      },
      reference: 'PO-9',
      memo: 'Thank you',
      notes: 'n',
      sourceDocumentUrl: 'https://documents.northwind.example/a-77.pdf',
    };
    const relations = {
      organization: await coded('Organization', '010'),
      businessUnit: unit,
      location: place,
      purchaseOrder: await coded('PurchaseOrder', 'PO-1001'),
      paymentTerm: await coded('PaymentTerm', 'N14'),
      paymentMethod: await coded('PaymentMethod', 'LAS'),
      currency: await coded('Currency', 'GBP'),
      account,
    };
    const line = {
      line: 10,
      lineType: 'service',
      description: 'Welding',
      quantity: 2,
      unitPrice: 119,
      discountPercent: 5,
      discountAmount: 1,
      serviceDate: day(-21),
      isBillable: true,
      isPrepaid: false,
      notes: 'Two welders',
    };
    const lineRelations = {
      item: await named('Item', 'Hex bolt M8 × 40'),
      unit: await coded('Unit', 'H'),
      taxRate: await coded('TaxRate', 'GB20'),
      account,
      purchaseOrderLine: { ...unit, entity: 'PurchaseOrderLine', _idValue: '4500001001/1' },
      workOrder: await coded('WorkOrder', 'WO-10001'),
      employee: await coded('Employee', 'E-4711'),
      businessUnit: unit,
    };
    const lines = [{ ...line, ...lineRelations, taxonomies: tags }];
    const key = await sale({ ...header, ...relations, taxonomies: tags, lines });
    const made = await sandbox.record('Invoice', key);
    // 225.10 including 20 %: 187.58 and 37.52; less 2 % and 1, with freight. The discount reduces the tax.
    expect(made.values).toMatchObject({ ...header, subtotal: 225.1, taxTotal: 36.6, total: 229.5 });
    const kept = await sandbox.record('InvoiceLine', `${key}/10`);
    expect(kept.values).toMatchObject({ ...line, total: 225.1 });
    for (const [record, sent] of [
      [made, relations],
      [kept, lineRelations],
    ] as const) {
      for (const [name, target] of Object.entries(sent)) {
        const [found] = [record.references[name] ?? []].flat();
        expect({ [name]: [found?.entity, found?.value] }).toEqual({
          [name]: [target.entity, target[found?.by ?? '_idValue']],
        });
      }
      expect(record.references.taxonomies).toMatchObject([{ value: 'X-OPEX' }, { value: 'X-ENER' }]);
    }
  });

  test('goes from draft through approval and partial payment to paid', async () => {
    const key = await sale();
    expect((await act('Invoice', key, 'submit', { note: 'Please' })).values.statusCategory).toBe('pending_approval');
    expect((await act('Invoice', key, 'approve')).values).toMatchObject({
      statusCategory: 'approved',
      approvedAt: expect.any(String),
      postedAt: expect.any(String),
    });
    const sent = await act('Invoice', key, 'set-status', {
      statusCategory: 'sent',
      effectiveAt: `${day(1)}T08:00:00Z`,
    });
    expect(sent.values.statusCategory).toBe('sent');
    const first = await pay(key, 4.13);
    expect(await invoice(key)).toMatchObject({ statusCategory: 'partially_paid', paidAmount: 4.13, balance: 100 });
    const second = await pay(key, 100);
    const paid = await sandbox.record('Invoice', key);
    const by = async (payment: string) =>
      readBy('Payment', String((await sandbox.record('Payment', payment)).values.code));
    expect(paid.values).toMatchObject({
      statusCategory: 'paid',
      balance: 0,
      agingBucket: null,
      paidAt: expect.any(String),
      lastPaymentAt: `${day(5)}T00:00:00Z`,
      allocations: [
        { type: 'payment', target: await by(first), amount: 4.13, allocatedDate: day(5) },
        { type: 'payment', target: await by(second), amount: 100, allocatedDate: day(5) },
      ],
    });
    expect(paid.references.payments).toMatchObject([{ value: first }, { value: second }]);
    expect((await sandbox.record('Payment', second)).references.invoices).toMatchObject([{ value: key }]);
    await expect(update(key, { memo: 'Late' })).rejects.toMatchObject({ words: expect.stringMatching(/^RE-030/) });
  });

  test.each([
    [-5, 'current'],
    [10, 'days_1_to_30'],
    [45, 'days_31_to_60'],
    [75, 'days_61_to_90'],
    [120, 'over_90_days'],
  ])('that was due %i days ago is %s', async (days, agingBucket) => {
    const dueDate = new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
    expect(await invoice(await approved({ invoiceDate: day(-200), dueDate }))).toMatchObject({ dueDate, agingBucket });
  });

  test('is open again when its payment is assigned to another invoice', async () => {
    const key = await approved();
    const payment = await pay(key, 104.13);
    expect(await invoice(key)).toMatchObject({ statusCategory: 'paid', balance: 0 });
    const { values } = sandbox.mapping('Payment').write({ allocations: [] }, { op: 'update' });
    await sandbox.driver.writes.update(sandbox.stream('Payment'), payment, values, sandbox.intent());
    expect(await invoice(key)).toMatchObject({
      statusCategory: 'sent',
      balance: 104.13,
      paidAt: null,
      lastPaymentAt: null,
    });
    expect((await sandbox.record('Payment', payment)).values.unallocatedAmount).toBe(104.13);
  });

  test('is settled by a credit note, which is then applied', async () => {
    const key = await approved();
    const { code } = await invoice(key);
    const credit = await create('CreditNote', {
      creditType: 'accounts_receivable',
      customer: await named('Customer', 'Baker & Sons'),
      total: 119,
      lines: [
        {
          line: 1,
          description: 'Returned',
          quantity: 1,
          unitPrice: 100,
          taxRate: meant('TaxRate', 'S19'),
          taxAmount: 19,
          total: 100,
        },
      ],
      allocations: [{ type: 'invoice', target: meant('Invoice', String(code)), amount: 4.13 }],
    });
    expect((await sandbox.record('CreditNote', credit)).values).toMatchObject({
      statusCategory: 'partially_applied',
      subtotal: 100,
      taxTotal: 19,
      remainingCredit: 114.87,
    });
    const settled = await sandbox.record('Invoice', key);
    expect(settled.values).toMatchObject({ statusCategory: 'partially_paid', balance: 100, lastPaymentAt: null });
    expect(settled.references.creditNotes).toMatchObject([{ value: credit }]);
  });

  test('is voided with a reason, unless a part was paid', async () => {
    const [key, other] = [await approved(), await approved()];
    const withdrawn = await act('Invoice', key, 'cancel', {
      reason: await named('Taxonomy', 'Duplicate'),
      note: 'Twice',
    });
    expect(withdrawn).toMatchObject({
      values: { statusCategory: 'cancelled', balance: 0, cancelledAt: expect.any(String) },
      references: { cancelReason: { value: 'S-DUP' } },
    });
    await pay(other, 1);
    await expect(act('Invoice', other, 'cancel')).rejects.toMatchObject({
      kind: 'rejected',
      words: expect.stringMatching(/^RE-052: invoice IN-\d+ has status T and cannot be cancelled$/),
    });
    const status = await named('Status', 'Invoice paid');
    await expect(act('Invoice', other, 'set-status', { status })).rejects.toMatchObject({
      words: expect.stringMatching(/^RE-033/),
    });
  });

  test('of a vendor is entered once, and updates the billed quantity of the purchase order', async () => {
    const vendor = await named('Vendor', 'ACME Supplies');
    const item = await named('Item', 'Hex bolt M8 × 40');
    const order = await create('PurchaseOrder', { vendor, lines: [{ item, quantity: 200 }] });
    const purchaseOrderLine = { ...item, entity: 'PurchaseOrderLine', _idValue: `${order}/1` };
    const lines = [{ item, quantity: 50, unitPrice: 0.11, purchaseOrderLine }];
    const bill = { invoiceType: 'accounts_payable', customer: null, vendor, invoiceNumber: '2026-88213', lines };
    const key = await sale(bill);
    const billed = async () => (await sandbox.record('PurchaseOrder', order)).values.billedPercent;
    expect(await billed()).toBe(0);
    await act('Invoice', key, 'submit');
    expect(await billed()).toBe(0);
    await act('Invoice', key, 'approve');
    expect(await billed()).toBe(25);
    await expect(sale(bill)).rejects.toMatchObject({
      kind: 'rejected',
      words: 'RE-012: invoice 2026-88213 of vendor 1042 has already been entered',
    });
    await act('Invoice', key, 'cancel');
    expect(await billed()).toBe(0);
    await sale(bill);
  });

  test('of a vendor clears what was received, and posts another price to price differences', async () => {
    const vendor = await named('Vendor', 'ACME Supplies');
    const item = await named('Item', 'Hex bolt M8 × 40');
    const cleared = await coded('Account', '1630');
    const open = async () => Number((await sandbox.record('Account', cleared._idValue)).values.balance);
    const before = await open();
    const order = await create('PurchaseOrder', {
      vendor,
      currency: await coded('Currency', 'USD'),
      orderDate: day(0),
      deliveryLocation: await named('Location', 'Storeroom HAM-A'),
      lines: [{ item, quantity: 200, unitPrice: 2, discountPercent: 10 }],
    });
    await approve('PurchaseOrder', order);
    const purchaseOrderLine = { ...item, entity: 'PurchaseOrderLine', _idValue: `${order}/1` };
    const goods = { item, purchaseOrderLine, unitCost: 0.5 };
    const receipt = { vendor, purchaseOrder: { entity: 'PurchaseOrder', _idValue: order } };
    for (const receivedQuantity of [77, 123])
      await create('Receipt', {
        ...receipt,
        receivedAt: `${day(0)}T09:20:00Z`,
        lines: [{ ...goods, receivedQuantity }],
      });
    const rate = Number((await sandbox.record('PurchaseOrder', order)).values.exchangeRate);
    expect(before - (await open())).toBeCloseTo(360 * rate, 1);
    const bill = await approved({
      ...{ invoiceType: 'accounts_payable', customer: null, vendor, currency: await coded('Currency', 'USD') },
      lines: [{ item, quantity: 200, unitPrice: 2.5, purchaseOrderLine }],
    });
    expect(await open()).toBe(before);
    await act('Invoice', bill, 'cancel');
    expect(before - (await open())).toBeCloseTo(360 * rate, 1);
  });

  test('stays posted, and is overdue by its due date, not by a status', async () => {
    const key = await sale({ invoiceDate: day(-50) });
    expect((await invoice(key)).agingBucket).toBeNull();
    await approve('Invoice', key);
    expect((await invoice(key)).agingBucket).toMatch(/^days_/);
    const set = (statusCategory: string) => act('Invoice', key, 'set-status', { statusCategory });
    await expect(set('draft')).rejects.toMatchObject({ words: expect.stringMatching(/^RE-034: .* cancel it/) });
    await expect(set('overdue')).rejects.toMatchObject({ words: expect.stringMatching(/^RE-035/) });
  });

  test('gets a status that an action leads to only by that action', async () => {
    const key = await sale();
    const set = (statusCategory: string) => act('Invoice', key, 'set-status', { statusCategory });
    const refusal = (words: RegExp) => ({ kind: 'rejected', words: expect.stringMatching(words) });
    await expect(set('pending_approval')).rejects.toMatchObject(refusal(/^RE-054: .* submit it /));
    await expect(set('approved')).rejects.toMatchObject(refusal(/^RE-054: .* status E; submit and approve it /));
    await expect(set('sent')).rejects.toMatchObject(refusal(/^RE-055: .* sent after it was approved/));
    await act('Invoice', key, 'submit');
    await expect(set('approved')).rejects.toMatchObject(refusal(/^RE-054: .* status V; approve it /));
    expect((await set('draft')).values.statusCategory).toBe('draft');
    await approve('Invoice', key);
    expect((await set('sent')).values.statusCategory).toBe('sent');
    expect((await set('approved')).values.statusCategory).toBe('approved');
    await expect(set('cancelled')).rejects.toMatchObject(refusal(/^RE-054: .* cancel it /));
    expect((await set('void')).values).toMatchObject({ statusCategory: 'void', balance: 0 });
  });

  test('is due on or after its date, has a total, and keeps its number when it is posted', async () => {
    const refusal = (words: RegExp) => ({ kind: 'rejected', words: expect.stringMatching(words) });
    await expect(sale({ dueDate: day(-1) })).rejects.toMatchObject(refusal(/^RE-019: .* cannot be due on/));
    const negative = await sale({ discountAmount: 500 });
    await act('Invoice', negative, 'submit');
    await expect(act('Invoice', negative, 'approve')).rejects.toMatchObject(refusal(/^RE-016: .* total of -/));
    const key = await approved();
    await expect(update(key, { code: 'IN-OTHER' })).rejects.toMatchObject(refusal(/^RE-036: .* numbers cannot be/));
    await update(key, { memo: 'Thank you' });
  });

  test('is posted in the first open period from its date, and shows it', async () => {
    const periodOf = async (key: string) => (await sandbox.record('Invoice', key)).references.accountingPeriod;
    const current = await periodOf(await approved());
    expect(current).toMatchObject({ entity: 'FiscalPeriod', value: `1${day(0).slice(0, 7).replace('-', '')}` });
    const periods = await sandbox.records('FiscalPeriod');
    // In the first hours of a month, the company has not closed the previous one.
    const open = periods.filter(({ _idValue, values }) => /^1\d{6}$/.test(_idValue) && values.status === 'open');
    const [first] = open.map(({ _idValue }) => _idValue).sort();
    expect(await periodOf(await approved({ invoiceDate: day(-300) }))).toEqual({ ...current, value: first });
    const closed = periods.find(({ values }) => values.status === 'closed');
    const period = { entity: 'FiscalPeriod', _idValue: closed?._idValue ?? '' };
    await expect(approved({ accountingPeriod: period })).rejects.toMatchObject({
      words: expect.stringMatching(/^FB-024: invoice .* cannot be posted in period/),
    });
  });

  test('without an organization belongs to that of its partner or the company, and its ledger lines name the partner', async () => {
    const key = await approved();
    const { values, references } = await sandbox.record('Invoice', key);
    expect(references.organization).toMatchObject({ value: expect.stringMatching(/^0\d0$/) });
    const customer = await named('Customer', 'Baker & Sons');
    const { values: partner } = await sandbox.record('Customer', String(customer._idValue));
    const lines = (await sandbox.records('JournalLine')).filter(({ values: line }) => line.reference === values.code);
    expect(lines.map(({ references: { customer: named } }) => (named as Reference | null)?.value)).toEqual(
      expect.arrayContaining([partner.code]),
    );
  });

  test('can get other lines until it is posted', async () => {
    const key = await sale();
    const lines = [{ description: 'Calibration', quantity: 3, unitPrice: 85, taxRate: await coded('TaxRate', 'S0') }];
    await update(key, { lines });
    expect(await invoice(key)).toMatchObject({ subtotal: 255, taxTotal: 0, total: 255 });
    await approve('Invoice', key);
    await expect(update(key, { lines })).rejects.toMatchObject({ words: expect.stringMatching(/^RE-031/) });
    await update(key, { memo: 'Thank you' });
    expect(await invoice(key)).toMatchObject({ memo: 'Thank you', total: 255 });
  });
});

describe('a bill', () => {
  test('of an ordered line is for its vendor, and for about what was ordered', async () => {
    const [vendor, item] = [await named('Vendor', 'ACME Supplies'), await named('Item', 'Hex bolt M8 × 40')];
    const order = await create('PurchaseOrder', { vendor, lines: [{ item, quantity: 200 }] });
    const purchaseOrderLine = { ...item, entity: 'PurchaseOrderLine', _idValue: `${order}/1` };
    const bill = (quantity: number, more: Row = {}) =>
      create('Invoice', {
        invoiceType: 'accounts_payable',
        vendor,
        invoiceDate: day(0),
        lines: [{ item, quantity, unitPrice: 0.11, purchaseOrderLine }],
        ...more,
      });
    const refusal = (words: RegExp) => ({ kind: 'rejected', words: expect.stringMatching(words) });
    await expect(bill(5_000)).rejects.toMatchObject(refusal(/^RE-018: .* 5000.* would be billed, but only 200/));
    await expect(bill(10, { vendor: await coded('Vendor', 'V-1043') })).rejects.toMatchObject(
      refusal(/^RE-017: .* placed with another vendor/),
    );
    await bill(200);
    await expect(bill(30)).rejects.toMatchObject(refusal(/^RE-018: .* 230.* would be billed/));
  });
});

describe('a credit note', () => {
  test('has the total of its lines', async () => {
    const customer = await named('Customer', 'Baker & Sons');
    const credit = (total: number) =>
      create('CreditNote', {
        ...{ creditType: 'accounts_receivable', customer, total },
        lines: [{ line: 1, description: 'Returned', quantity: 2, unitPrice: 50, taxAmount: 19 }],
      });
    await expect(credit(500)).rejects.toMatchObject({
      kind: 'rejected',
      words: expect.stringMatching(/^GU-015: the lines of credit note .* add up to 119.00, not to 500.00$/),
    });
    await credit(119);
  });
});

describe('a payment', () => {
  test('settles invoices of its own partner in its own currency', async () => {
    const key = await approved();
    const { code } = await invoice(key);
    const allocations = [{ type: 'invoice', target: meant('Invoice', String(code)), amount: 1 }];
    const input = { direction: 'incoming', transactionDate: day(5), amount: 1, allocations };
    const customer = await named('Customer', 'Baker & Sons');
    const other = await sandbox.resolve({ entity: 'Customer', by: '_idValue', value: '2008' });
    const currency = await coded('Currency', 'SEK');
    await expect(create('Payment', { ...input, customer, currency })).rejects.toMatchObject({
      words: expect.stringMatching(/^ZL-026: payment PA-\d+ is in SEK, and invoice/),
    });
    const own = (await sandbox.record('Invoice', key)).references.currency as { value: string };
    const same = { ...input, currency: await coded('Currency', own.value) };
    await expect(create('Payment', { ...same, customer: other })).rejects.toMatchObject({
      words: expect.stringMatching(/^ZL-027: .* are of different partners$/),
    });
  });

  test('assigns at most the amount paid, and only to posted invoices', async () => {
    const [draft, key] = [await sale(), await approved()];
    await expect(pay(draft, 1)).rejects.toMatchObject({ words: expect.stringMatching(/^ZL-023/) });
    const { code } = await invoice(key);
    const more = { direction: 'incoming', transactionDate: day(5), amount: 5 };
    const tooMuch = create('Payment', {
      ...more,
      allocations: [{ type: 'invoice', target: meant('Invoice', String(code)), amount: 6 }],
    });
    await expect(tooMuch).rejects.toMatchObject({ kind: 'rejected', words: expect.stringMatching(/^ZL-021/) });
    const strange = create('Payment', {
      ...more,
      allocations: [{ type: 'invoice', target: meant('Invoice', 'IN-0'), amount: 1 }],
    });
    await expect(strange).rejects.toMatchObject({ words: 'ZL-022: invoice IN-0 does not exist' });
  });

  test('settles at most the open amount of an invoice; more of it remains unallocated', async () => {
    const key = await approved();
    const { code } = await invoice(key);
    await pay(key, 100);
    await expect(pay(key, 5)).rejects.toMatchObject({
      kind: 'rejected',
      words: expect.stringMatching(
        new RegExp(`^ZL-024: invoice ${code} has an open amount of 4\\.13 [A-Z]{3}; 5\\.00 cannot`),
      ),
    });
    const rest = { type: 'invoice', target: meant('Invoice', String(code)), amount: 4.13 };
    const customer = await named('Customer', 'Baker & Sons');
    const input = { direction: 'incoming', customer, transactionDate: day(5), amount: 5, allocations: [rest] };
    const payment = await create('Payment', input);
    expect((await sandbox.record('Payment', payment)).values.unallocatedAmount).toBe(0.87);
    expect(await invoice(key)).toMatchObject({ statusCategory: 'paid', balance: 0 });
  });

  test('has the direction of its invoice', async () => {
    const { code } = await invoice(await approved());
    const allocations = [{ type: 'invoice', target: meant('Invoice', String(code)), amount: 5 }];
    const outgoing = create('Payment', { direction: 'outgoing', transactionDate: day(5), amount: 5, allocations });
    await expect(outgoing).rejects.toMatchObject({
      words: `ZL-025: an outgoing payment cannot settle invoice ${code}`,
    });
  });
});

test('the key of a payment method cannot be changed', async () => {
  await expect(replace('PaymentMethod', 'UEB', { code: 'NEW', name: 'New' })).rejects.toMatchObject({
    words: 'The key column "zahlart" of zahlart cannot be changed',
  });
});
