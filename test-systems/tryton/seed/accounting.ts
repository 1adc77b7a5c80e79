import { day, decimal, type Fields, type Rpc, type Wire } from '../rpc.ts';
import type { SeriesNames } from '../series.ts';
import type { SeededCompany } from './company.ts';

/** Ids of the rows that other seeds refer to. */
export interface SeededAccounting {
  readonly tax: number;
  readonly net30: number;
  readonly net60: number;
  readonly goodsCategory: number;
}

const years = [2025, 2026, 2027];

/** Fiscal years, Tryton's first chart with numbers, a tax, two payment terms and a category of goods. */
export async function seedAccounting(
  rpc: Rpc,
  { company }: SeededCompany,
  names: SeriesNames,
): Promise<SeededAccounting> {
  for (const year of years) await seedFiscalYear(rpc, company, year, names);
  await seedChart(rpc, company, names);
  const account = await rpc.id('account.account', [['name', '=', 'Main Tax']]);
  const tax = await rpc.createOne('account.tax', {
    name: 'Sales tax 8%',
    description: 'Sales tax 8%',
    type: 'percentage',
    rate: decimal('0.08'),
    company,
    invoice_account: account,
    credit_note_account: account,
  });
  const goodsCategory = await rpc.createOne('product.category', {
    name: 'Goods',
    accounting: true,
    account_expense: await accountOf(rpc, company, 'expense'),
    account_revenue: await accountOf(rpc, company, 'revenue'),
    supplier_taxes: [['add', [tax]]],
  });
  return { tax, net30: await seedTerm(rpc, 30), net60: await seedTerm(rpc, 60), goodsCategory };
}

async function seedFiscalYear(rpc: Rpc, company: number, year: number, { moveSequence }: SeriesNames): Promise<void> {
  const moveType = await rpc.id('ir.sequence.type', [['name', '=', 'Account Move']]);
  const invoiceType = await rpc.id('ir.sequence.type', [['name', '=', 'Invoice']]);
  const moves = await rpc.createOne(moveSequence.model, { name: `Moves ${year}`, sequence_type: moveType, company });
  const name = `Invoices ${year}`;
  const invoices = await rpc.createOne('ir.sequence.strict', { name, sequence_type: invoiceType, company });
  const sequences = {
    company,
    in_invoice_sequence: invoices,
    in_credit_note_sequence: invoices,
    out_invoice_sequence: invoices,
    out_credit_note_sequence: invoices,
  };
  const fiscalYear = await rpc.createOne('account.fiscalyear', {
    name: String(year),
    company,
    start_date: day(`${year}-01-01`),
    end_date: day(`${year}-12-31`),
    [moveSequence.field]: moves,
    invoice_sequences: [['create', [sequences]]],
  });
  await rpc.press('account.fiscalyear', fiscalYear, 'create_period');
}

async function seedChart(rpc: Rpc, company: number, names: SeriesNames): Promise<void> {
  const template = await rpc.id('account.account.template', [['parent', '=', null]]);
  const [session] = (await rpc.raw('wizard.account.create_chart.create', [rpc.context])) as [number];
  const step = (state: string, data: Fields) =>
    rpc.raw('wizard.account.create_chart.execute', [session, data as Wire, state, rpc.context]);
  const account = { company, account_template: template };
  await step('create_account', { account });
  const account_receivable = await accountOf(rpc, company, 'receivable');
  const account_payable = await accountOf(rpc, company, 'payable');
  await step('create_properties', { account, properties: { company, account_receivable, account_payable } });
  await rpc.raw('wizard.account.create_chart.delete', [session, rpc.context]);
  await nameAccounts(rpc, company, names);
  await numberAccounts(rpc);
}

/** Names the accounts that are used as in the minimal chart of 6.0. Later series have a chart of 135 accounts. */
async function nameAccounts(rpc: Rpc, company: number, { accounts }: SeriesNames): Promise<void> {
  const kinds = ['receivable', 'payable', 'revenue', 'expense'];
  const used = [
    ...kinds.map(async (kind) => [`Main ${kind}`, await accountOf(rpc, company, kind)] as const),
    ...Object.entries(accounts).map(
      async ([name, code]) => [name, await rpc.id('account.account', [['code', '=', code]])] as const,
    ),
  ];
  for (const [name, id] of await Promise.all(used)) {
    const title = name.replace(/ [a-z]/, (letter) => letter.toUpperCase());
    await rpc.write('account.account', id, { name: title });
  }
}

/** The minimal chart has no account numbers. */
async function numberAccounts(rpc: Rpc): Promise<void> {
  const accounts = await rpc.search('account.account', [['code', '=', null]]);
  for (const { id } of accounts)
    await rpc.write('account.account', Number(id), { code: String(1000 + Number(id) * 100) });
}

function accountOf(rpc: Rpc, company: number, kind: string): Promise<number> {
  return rpc.id('account.account', [
    [`type.${kind}`, '=', true],
    ['company', '=', company],
    ['closed', '!=', true],
  ]);
}

function seedTerm(rpc: Rpc, days: number): Promise<number> {
  const line = { type: 'remainder', relativedeltas: [['create', [{ days }]]] };
  return rpc.createOne('account.invoice.payment_term', { name: `Net ${days}`, lines: [['create', [line]]] });
}
