import { describe, expect, test } from 'vitest';
import { expectedInTryton } from '../../test/expected-in-tryton.ts';
import { idOf, reference, rejected, trytonOfFile } from '../../test/running-tryton.ts';
import { ROW_KEY, type Row } from '../driver.ts';

const { tryton, connection } = await trytonOfFile();
const { rpc } = tryton;

const vendor = await idOf(tryton, 'party.party', 'code', 'V001');
const customer = await idOf(tryton, 'party.party', 'code', 'C001');
const plate = await idOf(tryton, 'product.product', 'code', 'PLATE-1');

describe('each entity has the records of Tryton, with their values', () => {
  const cases = {
    Bank: { model: 'bank', fields: { bic: 'bic', name: 'party.name', code: 'party.code' } },
    BankAccount: {
      model: 'bank.account',
      fields: { name: 'rec_name', isActive: 'active', bank: 'bank', currency: 'currency' },
    },
    FiscalYear: { model: 'account.fiscalyear', fields: { name: 'name', startDate: 'start_date', endDate: 'end_date' } },
    FiscalPeriod: {
      model: 'account.period',
      fields: { name: 'name', startDate: 'start_date', fiscalYear: 'fiscalyear' },
    },
    PaymentTerm: { model: 'account.invoice.payment_term', fields: { name: 'name', isActive: 'active' } },
    PaymentMethod: { model: 'account.payment.journal', fields: { name: 'name', isActive: 'active' } },
    TaxRate: { model: 'account.tax', fields: { name: 'name', account: 'invoice_account', isActive: 'active' } },
    JournalEntry: {
      model: 'account.move',
      fields: { description: 'description', transactionDate: 'date', accountingPeriod: 'period' },
    },
    JournalLine: {
      model: 'account.move.line',
      fields: { debit: 'debit', credit: 'credit', account: 'account', journalEntry: 'move' },
    },
    Invoice: {
      model: 'account.invoice',
      fields: {
        total: 'total_amount',
        balance: 'amount_to_pay',
        currency: 'currency',
        notes: 'comment',
        paymentTerm: 'payment_term',
      },
    },
    InvoiceLine: {
      model: 'account.invoice.line',
      fields: {
        quantity: 'quantity',
        unitPrice: 'unit_price',
        total: 'amount',
        item: 'product',
        unit: 'unit',
        invoice: 'invoice',
      },
    },
    Payment: {
      model: 'account.payment',
      fields: {
        ...{ amount: 'amount', transactionDate: 'date', paymentMethod: 'journal' },
        description: tryton.series === '6.0' ? 'description' : 'reference',
      },
    },
  };
  test.each(Object.entries(cases))('%s', async (entity, { model, fields }) => {
    await expectedInTryton(tryton, connection, { entity, model, fields });
  });
});

test('the code of a journal entry is its number, and its reference is the number that it got when it was posted', async () => {
  const posted = await rpc.one('account.move', [['description', '=', 'Sale in the yard']], ['number']);
  const { post_number: number = posted.number } =
    tryton.series === '6.0' ? await rpc.one('account.move', [['id', '=', Number(posted.id)]], ['post_number']) : {};
  expect(await connection.read('JournalEntry', String(posted.id))).toMatchObject({
    code: posted.number,
    reference: number,
    statusCategory: 'posted',
  });
});

test('an account of a bank has its number and its owner', async () => {
  const accounts = await rpc.search('bank.account', []);
  const [own = '', vendors = ''] = accounts.map(({ id }) => String(id));
  expect(await connection.read('BankAccount', own)).toMatchObject({
    iban: 'DE89370400440532013000',
    bic: 'COBADEFFXXX',
  });
  expect(await connection.read('BankAccount', vendors)).toMatchObject({
    accountNumber: '44-120-7',
    owner: { entity: 'Vendor', value: String(vendor) },
  });
});

test('shares of Tryton are read and written as percentages', async () => {
  const account = reference('Account', await idOf(tryton, 'account.account', 'name', 'Main Tax'));
  const key = await connection.create('TaxRate', { name: 'Reduced 7.5 %', rate: 7.5, account });
  const kept = await rpc.one('account.tax', [['id', '=', Number(key)]], ['rate', 'type', 'credit_note_account']);
  expect(kept).toMatchObject({
    rate: { decimal: '0.075' },
    type: 'percentage',
    credit_note_account: Number(account._idValue),
  });
  expect(await connection.read('TaxRate', key)).toMatchObject({ rate: 7.5, statusCategory: 'active' });
});

test('a new account of a tax also becomes the account of its credit notes, unless they had their own', async () => {
  const accountOf = (name: string) => idOf(tryton, 'account.account', 'name', name);
  const [first, second, third] = [
    await accountOf('Main Tax'),
    await accountOf('Main Cash'),
    await accountOf('Main Payable'),
  ];
  const key = await connection.create('TaxRate', { name: 'Moved', rate: 5, account: reference('Account', first) });
  const moveTo = async (account: number) => {
    const input = { name: 'Moved', rate: 5, account: reference('Account', account) };
    await connection.update('TaxRate', key, input, 'replace');
    return rpc.one('account.tax', [['id', '=', Number(key)]], ['invoice_account', 'credit_note_account']);
  };
  expect(await moveTo(second)).toMatchObject({ invoice_account: second, credit_note_account: second });
  await rpc.write('account.tax', Number(key), { credit_note_account: first });
  expect(await moveTo(third)).toMatchObject({ invoice_account: third, credit_note_account: first });
});

test('terms and methods are created, and methods replaced', async () => {
  const term = await connection.create('PaymentTerm', { name: 'Net 14', daysUntilDue: 14 });
  expect(await connection.read('PaymentTerm', term)).toMatchObject({
    name: 'Net 14',
    daysUntilDue: 14,
    isActive: true,
  });
  const method = await connection.create('PaymentMethod', { name: 'Cheque' });
  const nameOf = async () => (await rpc.one('account.payment.journal', [['id', '=', Number(method)]], ['name'])).name;
  expect(await nameOf()).toBe('Cheque');
  await connection.update('PaymentMethod', method, { name: 'Check' }, 'replace');
  expect(await nameOf()).toBe('Check');
});

test('only a term with one line that counts only days has days until it is due', async () => {
  const daysOf = async (...deltas: readonly Row[]) => {
    const line = { type: 'remainder', relativedeltas: [['create', deltas]] };
    const values = { name: 'Special', lines: [['create', [line]]] };
    const term = await rpc.createOne('account.invoice.payment_term', values);
    return (await connection.read('PaymentTerm', String(term)))?.daysUntilDue;
  };
  expect(await daysOf({ days: 20 })).toBe(20);
  expect(await daysOf({ days: 20, day: 15 })).toBeUndefined();
  expect(await daysOf({ days: 20, months: 1 })).toBeUndefined();
  expect(await daysOf({ days: 20, weeks: 1 })).toBeUndefined();
  expect(await daysOf({ days: 20, month: 1 })).toBeUndefined();
  expect(await daysOf({ days: 20, weekday: 1 })).toBeUndefined();
  expect(await daysOf({ days: 20 }, { days: 5 })).toBeUndefined();
  const installments = await idOf(tryton, 'account.invoice.payment_term', 'name', '2 installments');
  expect(await connection.read('PaymentTerm', String(installments))).not.toHaveProperty('daysUntilDue');
});

describe('an invoice', () => {
  const lines = [{ item: reference('Item', plate), quantity: 2, unitPrice: 20 }];
  const bill = {
    invoiceType: 'accounts_payable',
    vendor: reference('Vendor', vendor),
    invoiceDate: '2026-07-01',
    reference: 'RE-900',
    lines,
  };
  const stateOf = async (key: string) =>
    (await rpc.one('account.invoice', [['id', '=', Number(key)]], ['state'])).state;

  test('of a vendor is created as a draft, submitted, approved and cancelled', async () => {
    const key = await connection.create('Invoice', bill);
    expect(await connection.read('Invoice', key)).toMatchObject({
      ...{ invoiceType: 'accounts_payable', documentType: 'invoice', statusCategory: 'draft', subtotal: 40 },
      ...{ invoiceNumber: 'RE-900', vendor: { entity: 'Vendor', value: String(vendor) }, customer: null },
    });
    await connection.act('Invoice', key, 'submit');
    expect(await stateOf(key)).toBe('validated');
    expect(await connection.read('Invoice', key)).toMatchObject({ statusCategory: 'pending_approval', taxTotal: 3.2 });
    await connection.act('Invoice', key, 'approve');
    expect(await stateOf(key)).toBe('posted');
    expect(await connection.read('Invoice', key)).toMatchObject({
      statusCategory: 'approved',
      balance: 43.2,
      code: expect.any(String),
    });
    await connection.act('Invoice', key, 'cancel');
    expect(await stateOf(key)).toBe('cancelled');
  });

  test('of a customer gets account, address and taxes as in the client of Tryton, and other lines', async () => {
    const values = {
      invoiceType: 'accounts_receivable',
      customer: reference('Customer', customer),
      invoiceDate: '2026-07-02',
    };
    const key = await connection.create('Invoice', { ...values, lines });
    const fields = [
      'type',
      'account.type.receivable',
      'invoice_address.party',
      'lines.taxes',
      'lines.account',
      'journal.code',
    ];
    expect(await rpc.one('account.invoice', [['id', '=', Number(key)]], fields)).toMatchObject({
      type: 'out',
      'account.': { 'type.': { receivable: expect.toBeOneOf([1, true]) } },
      'invoice_address.': { party: customer },
      'journal.': { code: 'REV' },
    });
    await connection.update('Invoice', key, { notes: 'Second thoughts', lines: [{ ...lines[0], quantity: 5 }] });
    expect(await connection.read('Invoice', key)).toMatchObject({ notes: 'Second thoughts', subtotal: 100 });
  });

  test('has exactly the tax that a change of a kept line names', async () => {
    const account = reference('Account', await idOf(tryton, 'account.account', 'name', 'Main Tax'));
    const other = await connection.create('TaxRate', { name: 'Reduced 3 %', rate: 3, account });
    const key = await connection.create('Invoice', bill);
    const linesOf = () => rpc.search('account.invoice.line', [['invoice', '=', Number(key)]], ['taxes', 'quantity']);
    const [line] = await linesOf();
    expect(line?.taxes).toHaveLength(1);
    expect(line?.taxes).not.toEqual([Number(other)]);
    const changed = { [ROW_KEY]: String(line?.id), taxRate: reference('TaxRate', other) };
    await connection.update('Invoice', key, { lines: [changed] });
    expect(await linesOf()).toEqual([{ ...line, taxes: [Number(other)] }]);
  });

  test('of a vendor is validated, reset to a draft (except in 8.2) and cancelled by its status', async () => {
    const key = await connection.create('Invoice', { ...bill, reference: 'RE-901' });
    const set = (statusCategory: string) => connection.act('Invoice', key, 'set-status', { statusCategory });
    await set('pending_approval');
    expect(await stateOf(key)).toBe('validated');
    if (tryton.series === '6.0') await set('draft');
    else await expect(set('draft')).rejects.toMatchObject(rejected('not allowed to modify the field "State"'));
    expect(await stateOf(key)).toBe(tryton.series === '6.0' ? 'draft' : 'validated');
    await set('cancelled');
    expect(await stateOf(key)).toBe('cancelled');
    expect(Object.keys(connection.mapping('Invoice').actions).sort()).toEqual([
      'approve',
      'cancel',
      'set-status',
      'submit',
    ]);
  });

  test('of a vendor cannot be submitted without a date', async () => {
    const { invoiceDate: _, ...undated } = bill;
    const key = await connection.create('Invoice', undated);
    await expect(connection.act('Invoice', key, 'submit')).rejects.toMatchObject(
      rejected(/Effective Date|Invoice Date/),
    );
    expect(await stateOf(key)).toBe('draft');
  });
});

describe('a credit note', () => {
  test('is an invoice with a negative total, and has positive amounts', async () => {
    const invoice = await rpc.one(
      'account.invoice',
      [
        ['type', '=', 'out'],
        ['total_amount', '<', 0],
      ],
      ['total_amount', 'lines.quantity'],
    );
    expect(invoice).toMatchObject({ total_amount: { decimal: '-21.60' }, 'lines.': [{ quantity: -1 }] });
    const read = await connection.read('CreditNote', String(invoice.id));
    expect(read).toMatchObject({ total: 21.6, subtotal: 20, remainingCredit: 21.6, statusCategory: 'posted' });
    expect(read).toMatchObject({ customer: { value: String(customer) }, vendor: null, lines: [expect.anything()] });
    expect(await connection.read('Invoice', String(invoice.id))).toMatchObject({
      documentType: 'credit',
      total: -21.6,
    });
  });

  test('is none of the other invoices', async () => {
    const [invoice] = await rpc.search('account.invoice', [
      ['number', '!=', null],
      ['total_amount', '>', 0],
    ]);
    expect(await connection.read('CreditNote', String(invoice?.id))).toBeNull();
    expect(await connection.read('Invoice', String(invoice?.id))).toMatchObject({ documentType: 'invoice' });
  });
});

test('open items are the lines of posted invoices on control accounts', async () => {
  const rows = await connection.pullAll('account.move.line');
  const open = (entity: string) =>
    rows.map((row) => connection.mapping(entity).read(row)).filter((record) => record !== null);
  const receivables = open('Receivable').map(({ values }) => values.originalAmount);
  const invoices = await rpc.search(
    'account.invoice',
    [
      ['type', '=', 'out'],
      ['state', '=', 'posted'],
    ],
    ['total_amount'],
  );
  const totals = invoices.map(({ total_amount: total }) => Number((total as { decimal: string }).decimal));
  expect(receivables.sort()).toEqual(totals.sort());
  const amounts = open('Payable').map(({ values }) => Number(values.openAmount));
  const bills = await rpc.search('account.invoice', [['type', '=', 'in']], ['amount_to_pay']);
  const due = bills.map(({ amount_to_pay: amount }) => Number((amount as { decimal: string }).decimal));
  expect(amounts.filter((amount) => amount !== 0).sort()).toEqual(due.filter((amount) => amount !== 0).sort());
});

test('open items are in the currency of their amounts, and include payments that are not reconciled', async () => {
  const account = (name: string) => idOf(tryton, 'account.account', 'name', name);
  const eur = await idOf(tryton, 'currency.currency', 'code', 'EUR');
  const journal = await idOf(tryton, 'account.journal', 'code', 'MISC');
  const period = await idOf(tryton, 'account.period', 'name', '2026-06');
  const date = { __class__: 'date', year: 2026, month: 6, day: 20 };
  const amount = (text: string) => ({ __class__: 'Decimal', decimal: text });
  const post = async (debit: string, credit: string, rest: Row) => {
    const payable = {
      account: await account('Main Payable'),
      party: vendor,
      debit: amount(debit),
      credit: amount(credit),
    };
    const cash = { account: await account('Main Cash'), debit: amount(credit), credit: amount(debit) };
    const lines = [['create', [{ ...payable, ...rest }, cash]]];
    const move = await rpc.createOne('account.move', { journal, period, date, lines });
    await rpc.press('account.move', move, 'post');
    const line = await rpc.one('account.move.line', [
      ['move', '=', move],
      ['party', '=', vendor],
    ]);
    return connection.read('Payable', String(line.id));
  };
  const foreign = { second_currency: eur, amount_second_currency: amount('-10.00'), maturity_date: date };
  expect(await post('0', '11.00', foreign)).toMatchObject({
    ...{ openAmount: 10, originalAmount: 10, dueDate: '2026-06-20', currency: { value: String(eur) } },
  });
  const usd = await idOf(tryton, 'currency.currency', 'code', 'USD');
  expect(await post('4.00', '0', {})).toMatchObject({
    ...{ openAmount: -4, originalAmount: -4, dueDate: null, currency: { value: String(usd) } },
  });
});

test('without a method, a payment is not created if there are several', async () => {
  const methods = await rpc.search('account.payment.journal', [['active', '=', true]]);
  expect(methods).toHaveLength(2);
  const vendorAndAmount = { direction: 'outgoing', vendor: reference('Vendor', vendor), amount: 1 };
  const input = { ...vendorAndAmount, transactionDate: '2026-07-04' };
  await expect(connection.create('Payment', input)).rejects.toMatchObject(rejected('Journal'));
  const before = methods[1]?.id;
  await rpc.write('account.payment.journal', Number(before), { active: false });
  const key = await connection.create('Payment', input);
  await rpc.write('account.payment.journal', Number(before), { active: true });
  const { journal } = await rpc.one('account.payment', [['id', '=', Number(key)]], ['journal']);
  expect(journal).toBe(methods[0]?.id);
});

test('a payment is created for a vendor, and its direction and state are read', async () => {
  const input = {
    direction: 'outgoing',
    vendor: reference('Vendor', vendor),
    transactionDate: '2026-07-04',
    paymentMethod: reference('PaymentMethod', await idOf(tryton, 'account.payment.journal', 'name', 'Check')),
    amount: 12.5,
  };
  const key = await connection.create('Payment', {
    ...input,
  });
  expect(await rpc.one('account.payment', [['id', '=', Number(key)]], ['kind', 'party', 'amount'])).toMatchObject({
    kind: 'payable',
    party: vendor,
    amount: { decimal: '12.5' },
  });
  expect(await connection.read('Payment', key)).toMatchObject({
    direction: 'outgoing',
    statusCategory: 'draft',
    customer: null,
  });
});
