import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bookInMariaDb, bookInSqlite, type ReadRecord, type RunningBook } from '../../test/running-book.ts';
import type { ValueProblem } from '../mapping/problem.ts';

describe.each([
  ['SQLite', bookInSqlite],
  ['MariaDB', bookInMariaDb],
])('a book in %s', (_, start) => {
  let book: RunningBook;
  beforeAll(async () => {
    book = await start();
  });
  afterAll(() => book.stop());

  const byCode = async (entity: string) =>
    new Map((await book.records(entity)).map((record) => [String(record.code), record]));

  test('is read completely: every stream has rows, and every value can be read', async () => {
    await book.driver.check();
    expect(book.platform.broken).toEqual([]);
    for (const stream of book.platform.streams) {
      const { problems, notes } = await book.driver.discover.probe(stream, { actions: [], writes: new Set() });
      expect([...problems, ...notes], stream.name).toEqual([]);
      expect((await book.rows(stream)).length, stream.name).toBeGreaterThan(0);
    }
    for (const { entity, stream, paths } of Object.values(book.platform.mappings)) {
      const problems: ValueProblem[] = [];
      expect((await book.records(entity, problems)).length, entity).toBeGreaterThan(0);
      expect(problems, entity).toEqual([]);
      const [source] = book.platform.streams.filter(({ name }) => name === stream);
      const columns = source && (await book.driver.discover.columns(source))?.map(({ name }) => name);
      for (const { path } of paths) expect(columns, `${entity}: ${path}`).toContain(path.split('.')[0]);
    }
  });

  test('has no reference to a record that does not exist', async () => {
    const keys = new Map<string, Set<string>>();
    for (const entity of Object.keys(book.platform.mappings))
      keys.set(entity, new Set((await book.records(entity)).map(({ key }) => key)));
    for (const entity of Object.keys(book.platform.mappings)) {
      const references = (await book.records(entity)).flatMap((record) => referencesIn(record));
      const missing = references.filter(({ entity, value }) => !keys.get(entity)?.has(value));
      expect(missing, entity).toEqual([]);
    }
  });

  test('has the accounts and balances of GnuCash', async () => {
    const accounts = await byCode('Account');
    const shares = accounts.get('1400');
    expect(shares).toMatchObject({ balance: null, currency: null });
    const read = [...accounts].map(([code, { fullyQualifiedName, balance }]) => [code, fullyQualifiedName, balance]);
    const expected = Object.entries(book.figures.accounts).map(([code, { name, balance }]) => {
      return [code, name.replaceAll('.', ':'), code === '1400' ? null : numberOf(balance)];
    });
    expect(read.toSorted()).toEqual(expected.toSorted());
    expect(accounts.get('1120')).toMatchObject({ isActive: false, level: 2, accountType: 'bank' });
    expect(accounts.get('2000')).toMatchObject({ isHeader: true, parent: null, classification: 'liability' });
    expect(accounts.get('1100')).toMatchObject({ lastReconciledAt: '2026-02-28T10:59:00.000Z' });
  });

  test('has the totals, open amounts and due dates of GnuCash', async () => {
    const [invoices, credits] = [await byCode('Invoice'), await byCode('CreditNote')];
    expect(invoices.size + credits.size).toBe(Object.keys(book.figures.documents).length);
    for (const [number, { isPosted, isPaid, ...figures }] of Object.entries(book.figures.documents)) {
      const amounts = isPosted && {
        ...{ total: numberOf(figures.total), subtotal: numberOf(figures.subtotal), taxTotal: numberOf(figures.tax) },
      };
      const open = figures.open === null ? null : Math.abs(numberOf(figures.open));
      const [invoice, credit] = [invoices.get(number), credits.get(number)];
      if (invoice) {
        const none = { total: null, subtotal: null, taxTotal: null };
        expect(invoice).toMatchObject({ ...(amounts || none), balance: open, dueDate: figures.dueDate });
        expect(invoice.statusCategory === 'paid', number).toBe(isPaid);
      } else {
        expect(credit).toMatchObject({ ...amounts, remainingCredit: open });
      }
      expect((invoice ?? credit)?.statusCategory === 'draft', number).toBe(!isPosted);
      if (isPosted) expect(invoice?.invoiceDate ?? credit?.issueDate).toBe(figures.date);
    }
    expect(invoices.get('INV-1')).toMatchObject({
      statusCategory: 'partially_paid',
      invoiceType: 'accounts_receivable',
    });
    expect(invoices.get('INV-3')).toMatchObject({ invoiceDate: '2026-11-20' });
    expect(invoices.get('BILL-2')).toMatchObject({ statusCategory: 'approved', invoiceType: 'accounts_payable' });
    expect(credits.get('VCN-1')).toMatchObject({ creditType: 'accounts_payable', remainingCredit: 9.99 });
  });

  test('has the lines of GnuCash, each rounded as in GnuCash', async () => {
    const [invoices, lines] = [await book.records('Invoice'), await book.records('InvoiceLine')];
    for (const invoice of invoices) {
      const own = lines.filter(({ invoice: owner }) => keyIn(owner) === invoice.key);
      const read = own.map(({ description, quantity, total }) => [description, quantity, total]);
      const { lines: figures = [] } = book.figures.documents[String(invoice.code)] ?? {};
      // For prices that include tax, GnuCash returns the value without tax.
      const value = (each: string) => (invoice.isTaxInclusive ? invoice.total : numberOf(each));
      const expected = figures.map((line) => [line.description, numberOf(line.quantity), value(line.value)]);
      expect(read.toSorted(), String(invoice.code)).toEqual(expected.toSorted());
      expect((invoice.lines as unknown[]).length).toBe(own.length);
      expect(own.map(({ line }) => line).toSorted()).toEqual(own.map((_, index) => index + 1));
    }
    const [pump] = lines.filter(({ description }) => description === 'Pump');
    expect(pump).toMatchObject({ discountPercent: 10, unitPrice: 299, total: 538.2 });
    expect((await byCode('CreditNote')).get('CN-1')?.lines).toMatchObject([{ quantity: 1, unitPrice: 299 }]);
  });

  test('has payments and what they pay, which together with the documents add up to the receivables', async () => {
    const payments = await byCode('Payment');
    expect(payments.get('P-1')).toMatchObject({ direction: 'incoming', amount: 300, unallocatedAmount: 0 });
    expect(payments.get('P-2')).toMatchObject({
      amount: 82.84,
      unallocatedAmount: 0.01,
      allocations: [{ amount: 82.83 }],
    });
    expect(payments.get('P-3')).toMatchObject({
      direction: 'outgoing',
      allocations: [{ type: 'bill', amount: 370.63 }],
    });
    expect(payments.get('P-4')).toMatchObject({ unallocatedAmount: 123.45, allocations: [], vendor: null });
    const customers = (await book.records('Customer')).map(({ key, code }) => [
      keyIn(payments.get('P-4')?.customer) === key,
      code,
    ]);
    expect(customers.filter(([is]) => is)).toEqual([[true, '000002']]);
    const receivables = (await byCode('Account')).get('1200');
    const isOwn = ({ account }: ReadRecord) => keyIn(account) === receivables?.key;
    const debits = [...(await byCode('Invoice')).values()].filter(isOwn).map(({ balance }) => cents(balance));
    const credits = [...(await byCode('CreditNote')).values()]
      .filter(isOwn)
      .map((credit) => -cents(credit.remainingCredit));
    const open = [...payments.values()]
      .filter(({ customer }) => customer !== null)
      .map((each) => -cents(each.unallocatedAmount));
    const sum = [...debits, ...credits, ...open].reduce((a, b) => a + b, 0);
    expect(sum / 100).toBe(receivables?.balance);
  });

  test('has balanced journal entries, whose lines are those of the ledger', async () => {
    const [entries, lines] = [await book.records('JournalEntry'), await book.records('JournalLine')];
    for (const entry of entries) {
      const own = lines.filter(({ journalEntry }) => keyIn(journalEntry) === entry.key);
      const pairs = (rows: readonly unknown[]) =>
        (rows as ReadRecord[]).map(({ debit, credit }) => `${debit} ${credit}`).sort();
      expect(pairs(entry.lines as unknown[])).toEqual(pairs(own));
      expect(entry.totalDebit, String(entry.code)).toBe(entry.totalCredit);
    }
    const named = (text: string) => entries.find(({ description }) => description === text);
    expect(named('By mistake')).toMatchObject({ statusCategory: 'voided', postingStatus: 'unposted' });
    expect(named('Exchange')).toMatchObject({
      totalDebit: 108.75,
      transactionDate: '2026-02-03',
      statusCategory: 'posted',
    });
    const sources = entries.map(({ sourceDocument }) => (sourceDocument as { entity: string } | null)?.entity);
    expect(new Set(sources)).toEqual(new Set([undefined, 'Invoice', 'CreditNote', 'Payment']));
  });

  test('has terms, taxes, parties, projects and rates', async () => {
    expect((await byCode('PaymentTerm')).get('Net 30')).toMatchObject({
      daysUntilDue: 30,
      discountPercent: 2.5,
      discountDays: 10,
    });
    expect((await byCode('PaymentTerm')).get('15th')).toMatchObject({ dueBasis: 'next_month_day', dayOfMonth: 15 });
    const taxes = await byCode('TaxRate');
    expect([...taxes.keys()].sort()).toEqual(['Sales tax', 'VAT and levy']);
    expect(taxes.get('VAT and levy')).toMatchObject({ rate: 20.5, account: null });
    const customer = (await byCode('Customer')).get('000001');
    expect(customer).toMatchObject({
      name: 'Customer 1 LLC',
      creditLimit: 5000.5,
      shippingAddress: { addressee: 'Ramp 3' },
    });
    const vendors = await byCode('Vendor');
    expect(vendors.get('000001')).toMatchObject({ terms: '15th', isActive: true });
    expect(vendors.get('000003')).toMatchObject({ terms: '', isActive: false });
    expect((await byCode('Employee')).get('000001')).toMatchObject({ name: 'Erika Employee', hourlyRate: 35 });
    expect((await byCode('Project')).get('000001')).toMatchObject({
      customer: { value: customer?.key },
      statusCategory: 'in_progress',
    });
    const rates = (await book.records('ExchangeRate')).map(({ rate, effectiveDate }) => [effectiveDate, rate]);
    expect(rates.toSorted()).toEqual([
      ['2026-11-20', 1.0875],
      ['2026-11-21', 1.08123457],
    ]);
    const addresses = (await book.records('Address')).map(
      ({ type, owner }) => `${type} ${(owner as { entity: string }).entity}`,
    );
    expect([...new Set(addresses)].sort()).toEqual([
      'billing Customer',
      'billing Vendor',
      'home Employee',
      'shipping Customer',
    ]);
  });

  test('shows days that were entered east of Greenwich, and no templates of scheduled transactions', async () => {
    await book.execute(`UPDATE slots SET timespec_val = '2026-10-30 22:00:00' WHERE name = 'trans-date-due' AND obj_guid IN
      (SELECT post_txn FROM invoices WHERE id = 'INV-1')`);
    expect((await byCode('Invoice')).get('INV-1')).toMatchObject({ dueDate: '2026-10-31' });
    const before = (await book.records('JournalLine')).length;
    await book.execute(`INSERT INTO accounts (guid, name, account_type, commodity_scu, non_std_scu, parent_guid)
      SELECT 'template', 'template', 'BANK', 1, 0, root_template_guid FROM books`);
    await book.execute(
      "INSERT INTO transactions (guid, currency_guid, num, description) SELECT 'planned', guid, '', 'Rent' FROM commodities WHERE mnemonic = 'USD'",
    );
    await book.execute(`INSERT INTO splits (guid, tx_guid, account_guid, memo, action, reconcile_state, value_num, value_denom,
      quantity_num, quantity_denom) VALUES ('planned', 'planned', 'template', '', '', 'n', 0, 1, 0, 1)`);
    expect((await book.records('JournalEntry')).filter(({ key }) => key === 'planned')).toEqual([]);
    expect((await book.records('JournalLine')).length).toBe(before);
    expect((await byCode('Account')).has('template')).toBe(false);
  });
});

/** A GnuCash fraction as a number. */
function numberOf(fraction: string): number {
  const [numerator = 0, denominator = 1] = fraction.split('/').map(Number);
  return numerator === 0 ? 0 : numerator / denominator;
}

function cents(amount: unknown): number {
  return Math.round(Number(amount ?? 0) * 100);
}

interface Reference {
  readonly entity: string;
  readonly value: string;
}

function keyIn(reference: unknown): string | undefined {
  return (reference as Reference | null | undefined)?.value;
}

/** All references in a value, at any depth. */
function referencesIn(value: unknown): Reference[] {
  if (typeof value !== 'object' || value === null) return [];
  if ('entity' in value && 'by' in value) return [value as unknown as Reference];
  return Object.values(value).flatMap(referencesIn);
}
