import { day, decimal, type Fields, type Rpc } from '../rpc.ts';
import type { SeriesNames } from '../series.ts';
import type { SeededAccounting } from './accounting.ts';
import type { SeededCompany } from './company.ts';
import type { SeededParties } from './parties.ts';
import type { SeededProducts } from './products.ts';

type Seeded = SeededCompany & SeededAccounting & SeededParties & SeededProducts & { readonly names: SeriesNames };

/** Bank accounts, invoices and credit notes in both directions, payments and a journal entry. */
export async function seedFinance(rpc: Rpc, seeded: Seeded): Promise<void> {
  await rpc.createOne('account.invoice.payment_term', {
    name: '2 installments',
    lines: [
      [
        'create',
        [
          {
            sequence: 1,
            type: 'percent',
            ratio: decimal('0.5'),
            divisor: decimal('2'),
            relativedeltas: [['create', [{ days: 0 }]]],
          },
          { sequence: 2, type: 'remainder', relativedeltas: [['create', [{ days: 45 }]]] },
        ],
      ],
    ],
  });
  await seedBanks(rpc, seeded);
  await seedInvoices(rpc, seeded);
  await seedPayments(rpc, seeded);
  await seedEntry(rpc);
}

async function seedBanks(rpc: Rpc, { vendors, usd }: Seeded): Promise<void> {
  const party = await rpc.createOne('party.party', { name: 'First Bank of Springfield', code: 'BANK1' });
  const bank = await rpc.createOne('bank', { party, bic: 'COBADEFFXXX' });
  const { party: own } = await rpc.one('company.company', [], ['party']);
  await rpc.create(
    'bank.account',
    {
      bank,
      currency: usd,
      owners: [['add', [own ?? 0]]],
      numbers: [['create', [{ type: 'iban', number: 'DE89370400440532013000' }]]],
    },
    { bank, owners: [['add', [vendors[0] ?? 0]]], numbers: [['create', [{ type: 'other', number: '44-120-7' }]]] },
  );
}

/** Vendors' invoices result from the orders; the first three are posted. Customers' invoices and credit notes are new. */
async function seedInvoices(rpc: Rpc, seeded: Seeded): Promise<void> {
  const received = await rpc.search('account.invoice', [['type', '=', 'in']]);
  for (const [index, { id }] of received.slice(0, 3).entries()) {
    await rpc.write('account.invoice', Number(id), {
      invoice_date: day(`2026-03-${10 + index}`),
      reference: `RE-${index}`,
    });
    await rpc.press('account.invoice', Number(id), 'post');
  }
  const customers = await rpc.search('party.party', [['code', 'in', ['C001', 'C002', 'C003']]], ['addresses']);
  const sent = await rpc.create(
    'account.invoice',
    ...(await Promise.all(customers.map((customer, index) => invoice(rpc, 'out', customer, 3 + index, seeded)))),
    await invoice(rpc, 'out', customers[0] ?? {}, -1, seeded),
  );
  for (const id of [...sent.slice(0, 2), ...sent.slice(-1)]) await rpc.press('account.invoice', id, 'post');
  const vendor = await rpc.one('party.party', [['code', '=', 'V002']], ['addresses']);
  await rpc.createOne('account.invoice', await invoice(rpc, 'in', vendor, -2, seeded));
}

/** An invoice for some of the second product; a credit note if the quantity is negative. */
async function invoice(
  rpc: Rpc,
  type: 'in' | 'out',
  party: Fields,
  quantity: number,
  { company, usd, net30, tax, products, unit }: Seeded,
): Promise<Fields> {
  const [control, effect, journal] = type === 'in' ? ['payable', 'expense', 'EXP'] : ['receivable', 'revenue', 'REV'];
  const account = (kind: string) =>
    rpc.id('account.account', [
      [`type.${kind}`, '=', true],
      ['closed', '!=', true],
    ]);
  const line = {
    type: 'line',
    product: products[1] ?? null,
    account: await account(effect),
    unit,
    quantity,
    unit_price: decimal('20.0000'),
    description: 'Steel plate',
    taxes: [['add', [tax]]],
  };
  return {
    company,
    type,
    party: party.id ?? null,
    invoice_address: (party.addresses as number[])[0] ?? null,
    account: await account(control),
    journal: await rpc.id('account.journal', [['code', '=', journal]]),
    currency: usd,
    payment_term: net30,
    invoice_date: day('2026-04-01'),
    description: quantity < 0 ? 'Credit for damaged plates' : 'Plates',
    lines: [['create', [line]]],
  };
}

async function seedPayments(rpc: Rpc, { vendors, company, usd, names }: Seeded): Promise<void> {
  const journal = await rpc.createOne('account.payment.journal', {
    name: 'Bank transfer',
    company,
    currency: usd,
    process_method: 'manual',
  });
  const customer = await rpc.id('party.party', [['code', '=', 'C001']]);
  const values = { journal, company, date: day('2026-05-02') };
  const [, approved] = await rpc.create(
    'account.payment',
    {
      ...values,
      kind: 'payable',
      party: vendors[0] ?? null,
      amount: decimal('50.00'),
      [names.payment.text]: 'Advance',
    },
    {
      ...values,
      kind: 'payable',
      party: vendors[1] ?? null,
      amount: decimal('75.50'),
      [names.payment.text]: 'Deposit',
    },
    { ...values, kind: 'receivable', party: customer, amount: decimal('20.00'), [names.payment.text]: 'Part payment' },
  );
  for (const button of names.payment.approval) await rpc.press('account.payment', approved ?? 0, button);
}

async function seedEntry(rpc: Rpc): Promise<void> {
  const account = (name: string) => rpc.id('account.account', [['name', '=', name]]);
  // Later series have this journal.
  const [existing] = await rpc.search('account.journal', [['code', '=', 'MISC']]);
  const journal = Number(existing?.id ?? (await createJournal(rpc)));
  const date = day('2026-06-15');
  const period = await rpc.id('account.period', [
    ['start_date', '<=', date],
    ['end_date', '>=', date],
  ]);
  const [debit, credit] = [await account('Main Cash'), await account('Main Revenue')];
  const lines = [
    { account: debit, debit: decimal('120.00'), credit: decimal('0'), description: 'Cash sale' },
    { account: credit, debit: decimal('0'), credit: decimal('120.00'), description: 'Cash sale' },
  ];
  const move = { journal, period, date, description: 'Sale in the yard', lines: [['create', lines]] };
  const posted = await rpc.createOne('account.move', move);
  await rpc.press('account.move', posted, 'post');
  await rpc.createOne('account.move', { ...move, description: 'Sale at the gate' });
}

async function createJournal(rpc: Rpc): Promise<number> {
  const { sequence = null } = await rpc.one('account.journal', [['code', '=', 'REV']], ['sequence']);
  return rpc.createOne('account.journal', { name: 'Miscellaneous', code: 'MISC', type: 'general', sequence });
}
