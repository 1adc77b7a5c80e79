import type { Row } from '@unified/connectors';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { day, THIS_YEAR } from './day.ts';
import { desk, meant, readBy } from './desk.ts';
import { type Sandbox, startSandbox } from './sandbox.ts';

const NEXT = THIS_YEAR + 1;
/** A year without fiscal years of the company. */
const LATER = THIS_YEAR + 5;

/** Number of today's period in a calendar that begins in April. */
function britishPeriod(): string {
  const [year = 0, month = 0] = day(0).split('-').map(Number);
  const number = String(((month + 8) % 12) + 1).padStart(2, '0');
  return `2${month < 4 ? year - 1 : year}${number}`;
}

let sandbox: Sandbox;
const { create, replace, named, coded } = desk(() => sandbox);

beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());

describe('a budget', () => {
  const least = async () => ({
    name: `Maintenance North ${NEXT}`,
    fiscalYear: await named('FiscalYear', `FY-CAL ${NEXT}`),
    organization: await named('Organization', 'Northwind Works'),
  });

  test('accepts every field of its header and lines, and computes its totals', async () => {
    const [machines, lubricants] = [
      await named('Account', 'Maintenance of machines'),
      await named('Account', 'Lubricants'),
    ];
    const unit = await named('BusinessUnit', 'Maintenance North');
    const header = {
      code: 'BU-T1',
      description: 'Upkeep of all lines',
      budgetAgainst: 'business_unit',
      revision: 2,
      startDate: `${NEXT}-01-01`,
      endDate: `${NEXT}-06-30`,
      actionOnExceed: 'stop',
      distributionFrequency: 'half_yearly',
    };
    const line = { line: 10, amount: 30_000.5, percent: 62.5, notes: 'Last year plus three percent' };
    const key = await create('Budget', {
      ...(await least()),
      ...header,
      businessUnit: unit,
      currency: await coded('Currency', 'EUR'),
      owner: await named('Employee', 'Maria Keller'),
      lines: [
        {
          ...line,
          account: machines,
          fiscalPeriod: await named('FiscalPeriod', `FY-CAL ${NEXT}/03`),
          businessUnit: unit,
        },
        { line: 20, account: lubricants, amount: 18_000 },
      ],
    });
    const budget = await sandbox.record('Budget', key);
    expect(budget.values).toMatchObject({
      ...header,
      statusCategory: 'draft',
      totalAmount: 48_000.5,
      actualAmount: 0,
      remainingAmount: 48_000.5,
    });
    expect(budget.references).toMatchObject({
      status: { value: 'BUD/E' },
      businessUnit: { value: '4100' },
      owner: { value: '4711' },
      lines: [{ value: `${key}/10` }, { value: `${key}/20` }],
    });
    const kept = await sandbox.record('BudgetLine', `${key}/10`);
    expect(kept.values).toMatchObject({ ...line, committedAmount: 0, remainingAmount: 30_000.5 });
    expect(kept.references).toMatchObject({
      budget: { value: key },
      account: { value: machines._idValue },
      fiscalPeriod: { value: `1${NEXT}03` },
      businessUnit: { value: '4100' },
      currency: { value: 'EUR' },
    });
  });

  test('is replaced with its lines, unless it has spending or is closed', async () => {
    const account = await named('Account', 'Lubricants');
    const key = await create('Budget', { ...(await least()), revision: 1, lines: [{ account, amount: 100 }] });
    const replaced = await replace('Budget', key, { ...(await least()), lines: [{ account, amount: 250 }] });
    expect(replaced.values).toMatchObject({ totalAmount: 250, revision: null });
    const budgets = await sandbox.records('Budget');
    // Spent or committed: in the first quarter, nothing has been spent.
    const running = budgets.find(
      ({ values }) => values.statusCategory === 'active' && Number(values.remainingAmount) < Number(values.totalAmount),
    );
    const change = { ...(await least()), lines: [{ account, amount: 1 }] };
    await expect(replace('Budget', running?._idValue ?? '', change)).rejects.toMatchObject({
      kind: 'rejected',
      words: expect.stringMatching(/^BG-031: line 1 of budget \d+ has spending/),
    });
    const closed = budgets.find(({ values }) => values.statusCategory === 'closed');
    await expect(replace('Budget', closed?._idValue ?? '', change)).rejects.toMatchObject({
      words: expect.stringMatching(/^BG-030: budget BU-\d+ is closed/),
    });
  });

  test('is refused for a header account', async () => {
    const account = await coded('Account', '6700');
    const refused = create('Budget', { ...(await least()), lines: [{ account, amount: 1 }] });
    await expect(refused).rejects.toMatchObject({ words: expect.stringMatching(/^BG-014: account 6700 is a header/) });
  });
});

test('lines of journal entries are records with the account and the period of their entry', async () => {
  const entries = new Map((await sandbox.records('JournalEntry')).map((entry) => [entry._idValue, entry]));
  const lines = await sandbox.records('JournalLine');
  const count = [...entries.values()].flatMap(({ values }) => values.lines as unknown[]).length;
  expect(lines).toHaveLength(count);
  for (const { values, references } of lines) {
    const entry = entries.get(String([references.journalEntry].flat()[0]?.value));
    const { account } = ((entry?.values.lines ?? []) as Row[])[Number(values.line) - 1] ?? {};
    expect([references.account, references.accountingPeriod, values.transactionDate]).toEqual([
      ...[account, entry?.references.accountingPeriod, entry?.values.transactionDate],
    ]);
  }
  const cents = (name: 'amount' | 'companyAmount') =>
    lines.reduce((sum, { values }) => sum + Math.round(Number(values[name]) * 100), 0);
  expect([cents('amount'), cents('companyAmount')]).toEqual([0, 0]);
});

describe('a journal entry', () => {
  const linesWith = (to: typeof meant | typeof readBy) => [
    {
      ...{ account: to('Account', '6550'), debit: 4_200.5, businessUnit: to('BusinessUnit', '2200') },
      taxonomies: [to('Taxonomy', 'X-OPEX'), to('Taxonomy', 'X-ENER')],
    },
    { account: to('Account', '1020'), credit: 4_200.5 },
  ];
  const entry = async (more: Row = {}) => ({
    transactionDate: day(0),
    currency: await coded('Currency', 'EUR'),
    organization: await named('Organization', 'Northwind Works'),
    lines: linesWith(meant),
    ...more,
  });

  test('is parked, then posted to the period of its date, and cannot be changed afterwards', async () => {
    const key = await create('JournalEntry', await entry());
    const parked = await sandbox.record('JournalEntry', key);
    expect(parked.values).toMatchObject({
      statusCategory: 'draft',
      postingStatus: 'unposted',
      postedAt: null,
      totalDebit: 4_200.5,
      totalCredit: 4_200.5,
      lines: linesWith(readBy).map((line, index) => ({ line: index + 1, ...line })),
    });
    expect(parked.references.accountingPeriod).toBeNull();
    const posted = await replace('JournalEntry', key, await entry({ postingStatus: 'posted' }));
    expect(posted.values).toMatchObject({ statusCategory: 'posted', postedAt: expect.stringMatching(/Z$/) });
    expect(posted.references.accountingPeriod).toMatchObject({
      entity: 'FiscalPeriod',
      value: `1${day(0).slice(0, 7).replace('-', '')}`,
    });
    await expect(replace('JournalEntry', key, await entry({ memo: 'Later' }))).rejects.toMatchObject({
      kind: 'rejected',
      words: expect.stringMatching(/^FB-030: journal entry JE-\d+ is posted/),
    });
  });

  test('follows the calendar of its company', async () => {
    const organization = await named('Organization', 'Northwind UK');
    const key = await create('JournalEntry', await entry({ organization, postingStatus: 'posted' }));
    expect((await sandbox.record('JournalEntry', key)).references.accountingPeriod).toMatchObject({
      value: britishPeriod(),
    });
  });

  test('stores every field of a line', async () => {
    const both = (to: typeof meant | typeof readBy) => [
      {
        line: 7,
        account: to('Account', '1210'),
        debit: 100,
        description: 'Correction',
        currency: to('Currency', 'USD'),
        exchangeRate: 0.86,
        taxRate: to('TaxRate', 'V19'),
        customer: to('Customer', 'C-2007'),
        vendor: to('Vendor', 'V-1042'),
        employee: to('Employee', 'E-4711'),
        project: to('Project', 'PJ-101'),
        businessUnit: to('BusinessUnit', '4100'),
        taxonomies: [to('Taxonomy', 'X-OPEX')],
      },
      { line: 2, account: to('Account', '1020'), credit: 86 },
    ];
    const key = await create('JournalEntry', await entry({ lines: both(meant) }));
    const { values } = await sandbox.record('JournalEntry', key);
    expect(values).toMatchObject({ totalDebit: 86, lines: both(readBy) });
  });

  test.each([
    [
      'debits and credits differ',
      { lines: [{ account: meant('Account', '6550'), debit: 10 }] },
      /^FB-014: debits of 10.00 and credits of 0.00/,
    ],
    [
      'an account is unknown',
      { lines: [{ account: meant('Account', '9999'), debit: 1 }] },
      /^FB-010: line 1: account 9999 does not exist$/,
    ],
    [
      'an account is a header',
      { lines: [{ account: meant('Account', '6500'), debit: 1 }] },
      /^FB-011: line 1: account 6500 does not accept postings$/,
    ],
    [
      'a line has both sides',
      { lines: [{ account: meant('Account', '6550'), debit: 1, credit: 1 }] },
      /^FB-013: line 1 needs either/,
    ],
    [
      'a partner is unknown',
      { lines: [{ account: meant('Account', '1210'), debit: 1, customer: meant('Customer', 'C-1') }] },
      /^FB-015: .* customer C-1 does not exist$/,
    ],
    ['the day of its reversal is missing', { isReversing: true }, /^FB-018/],
    [
      'its period is closed',
      { transactionDate: `${THIS_YEAR - 1}-03-31`, postingStatus: 'posted' },
      new RegExp(`^FB-021: period FY-CAL ${THIS_YEAR - 1}/03 is closed$`),
    ],
    ['it has no company', { organization: null, postingStatus: 'posted' }, /^FB-019: .* send its organization$/],
    [
      'its period is closed to all but accountants',
      { transactionDate: day(-40), postingStatus: 'posted' },
      /^FB-023: period .* is closed to all but accountants/,
    ],
    [
      'the currency of the company has an exchange rate',
      { lines: linesIn('EUR', 1.2) },
      /^FB-016: line 1: EUR is the currency of the company/,
    ],
    [
      'lines in two currencies have equal amounts only',
      { lines: linesIn('USD', undefined) },
      /^FB-014: .* differ by [\d.]+ EUR$/,
    ],
    [
      'an account of payables is posted without a vendor',
      {
        lines: [
          { account: meant('Account', '1610'), debit: 5 },
          { account: meant('Account', '1020'), credit: 5 },
        ],
        postingStatus: 'posted',
      },
      /^FB-025: line 1: account 1610 is that of payables; name the vendor$/,
    ],
    ['no period covers its day', { transactionDate: `${LATER}-01-01`, postingStatus: 'posted' }, /^FB-020/],
    ['it has no lines when it is posted', { lines: [], postingStatus: 'posted' }, /^FB-017/],
  ])('is refused when %s', async (_, more, words) => {
    await expect(create('JournalEntry', await entry(more))).rejects.toMatchObject({
      kind: 'rejected',
      words: expect.stringMatching(words),
    });
  });
});

/** A debit of 100 in a currency and a credit of 100 in that of the company. */
function linesIn(currency: string, exchangeRate: number | undefined): readonly Row[] {
  const debit = { account: meant('Account', '6550'), debit: 100, currency: meant('Currency', currency) };
  return [
    exchangeRate === undefined ? debit : { ...debit, exchangeRate },
    { account: meant('Account', '1020'), credit: 100 },
  ];
}

describe('fiscal years and periods', () => {
  test('a year is closed after its periods, which cannot be reopened before it', async () => {
    const year = { name: `FY-CAL ${LATER}`, startDate: `${LATER}-01-01`, endDate: `${LATER}-12-31` };
    const key = await create('FiscalYear', year);
    const fiscalYear = { entity: 'FiscalYear', _idValue: key };
    const period = {
      name: `FY-CAL ${LATER}/01`,
      fiscalYear,
      number: 1,
      startDate: `${LATER}-01-01`,
      endDate: `${LATER}-01-31`,
    };
    const january = await create('FiscalPeriod', period);
    await expect(replace('FiscalYear', key, { ...year, status: 'closed' })).rejects.toMatchObject({
      words: expect.stringMatching(/^GJ-011: fiscal year FY-\d+ has periods that are not closed$/),
    });
    await replace('FiscalPeriod', january, { ...period, status: 'closed' });
    expect((await replace('FiscalYear', key, { ...year, status: 'closed' })).values.status).toBe('closed');
    await expect(replace('FiscalPeriod', january, { ...period, status: 'open' })).rejects.toMatchObject({
      words: `PE-009: fiscal year FY-CAL ${LATER} is closed; open it before its periods`,
    });
  });

  test('a period must be within its year', async () => {
    const fiscalYear = await named('FiscalYear', `FY-CAL ${NEXT}`);
    const period = {
      name: 'Late',
      fiscalYear,
      number: 14,
      startDate: `${NEXT + 1}-01-01`,
      endDate: `${NEXT + 1}-01-31`,
    };
    await expect(create('FiscalPeriod', period)).rejects.toMatchObject({
      words: `PE-005: period Late is not within fiscal year FY-CAL ${NEXT}`,
    });
  });
});

describe('a bank account', () => {
  const account = async (more: Row) => ({ name: 'Payroll', currency: await coded('Currency', 'EUR'), ...more });

  test('shows no more than the last digits of its number', async () => {
    const key = await create('BankAccount', await account({ accountNumber: '0532013000' }));
    expect((await sandbox.record('BankAccount', key)).values.accountNumber).toBe('******3000');
  });

  test('accepts only IBANs with valid check digits', async () => {
    const key = await create('BankAccount', await account({ iban: 'DE89370400440532013000' }));
    expect((await sandbox.record('BankAccount', key)).values.iban).toBe('DE89370400440532013000');
    await expect(create('BankAccount', await account({ iban: 'DE88370400440532013000' }))).rejects.toMatchObject({
      kind: 'rejected',
      words: expect.stringMatching(/^BK-011: the check digits of IBAN DE88/),
    });
  });

  test('all accounts of the company have valid check digits', async () => {
    const ibans = (await sandbox.records('BankAccount')).flatMap(({ values }) => values.iban ?? []);
    expect(ibans.length).toBeGreaterThan(200);
    for (const iban of ibans) expect(isRight(String(iban))).toBe(true);
  });

  /** ISO 7064, mod 97-10. */
  const isRight = (iban: string) =>
    [...`${iban.slice(4)}${iban.slice(0, 4)}`].reduce(
      (rest, sign) => Number(`${rest}${Number.parseInt(sign, 36)}`) % 97,
      0,
    ) === 1;
});
