import { day, decimal, type Rpc } from '../rpc.ts';

/** Ids of the rows that other seeds refer to. */
export interface SeededCompany {
  readonly company: number;
  readonly usd: number;
  readonly eur: number;
}

const staff = [
  { name: 'Erika Muster', email: 'erika@demo.example', since: '2019-03-01' },
  { name: 'Jonas Berg', email: 'jonas@demo.example', since: '2020-06-15' },
  { name: 'Mina Okafor', email: 'mina@demo.example', since: '2022-01-10' },
  { name: 'Liu Wei', email: 'liu@demo.example', since: '2023-09-01' },
  { name: 'Old Hand', email: 'old@demo.example', since: '2010-01-01', until: '2024-12-31' },
];

/** A company with its staff; the administrator works for it as its first employee. */
export async function seedCompany(rpc: Rpc): Promise<SeededCompany> {
  const usd = await rpc.id('currency.currency', [['code', '=', 'USD']]);
  const eur = await rpc.id('currency.currency', [['code', '=', 'EUR']]);
  const country = await rpc.id('country.country', [['code', '=', 'US']]);
  const address = { street: '1 Main St', city: 'Springfield', postal_code: '62701', country };
  const party = await rpc.createOne('party.party', {
    name: 'Demo Industries Inc.',
    addresses: [['create', [address]]],
    identifiers: [['create', [{ type: 'us_ein', code: '91-1144442' }]]],
    contact_mechanisms: [['create', [{ type: 'email', value: 'office@demo.example' }]]],
  });
  const date = day('2025-01-01');
  await rpc.create('currency.currency.rate', { currency: usd, date, rate: decimal('1') });
  await rpc.create('currency.currency.rate', { currency: eur, date, rate: decimal('0.9') });
  const company = await rpc.createOne('company.company', { party, currency: usd });
  await rpc.write('res.user', rpc.user, { companies: [['add', [company]]], company });
  await rpc.refreshContext();
  const employees = await seedStaff(rpc, company);
  await rpc.write('res.user', rpc.user, { employees: [['add', employees]], employee: employees[0] ?? null });
  await rpc.refreshContext();
  return { company, usd, eur };
}

async function seedStaff(rpc: Rpc, company: number): Promise<number[]> {
  const employees: number[] = [];
  for (const { name, email, since, until } of staff) {
    const party = await rpc.createOne('party.party', {
      name,
      contact_mechanisms: [['create', [{ type: 'email', value: email }]]],
    });
    const supervisor = employees[0] ?? null;
    const end = until === undefined ? null : day(until);
    const values = { party, company, supervisor, start_date: day(since), end_date: end };
    employees.push(await rpc.createOne('company.employee', values));
  }
  return employees;
}
