import type { Fields, KillBillApi } from './api.ts';

/** Ids of what the seed created. */
export interface Tenant {
  /** 4 accounts. The first one is in New York, and has everything else. */
  readonly accounts: readonly string[];
  /** An invoice that is open, one that is partly paid, one that is paid, a draft, and one that is voided. */
  readonly invoices: Readonly<Record<'open' | 'partlyPaid' | 'paid' | 'draft' | 'voided', string>>;
  /** Payments of the second and the third invoice. */
  readonly payments: readonly string[];
  /** A subscription to the plan `pump-monthly`. */
  readonly subscription: string;
}

const ACCOUNTS = 4;

/** Fills an empty tenant: a catalog with two plans, accounts, invoices in every state, payments and a subscription. */
export async function seed(api: KillBillApi): Promise<Tenant> {
  await plan(api, 'pump-monthly', 'PumpService', 49.9);
  await plan(api, 'compressor-monthly', 'CompressorService', 120);
  const accounts: string[] = [];
  for (let number = 1; number <= ACCOUNTS; number += 1) accounts.push(await account(api, number));
  const [first = ''] = accounts;
  const invoices = {
    open: await api.charge(first, [charge('Bearing', 40, 3), charge('Freight', 12.5)], true),
    partlyPaid: await api.charge(first, [charge('Seal', 100)], true),
    paid: await api.charge(first, [charge('Inspection', 250)], true),
    draft: await api.charge(first, [charge('Repair', 75)], false),
    voided: await api.charge(first, [charge('By mistake', 1)], false),
  };
  await api.send('PUT', `/invoices/${invoices.voided}/voidInvoice`);
  const payments = [
    await api.create(`/invoices/${invoices.partlyPaid}/payments?externalPayment=true`, paid(first, 30)),
    await api.create(`/invoices/${invoices.paid}/payments?externalPayment=true`, paid(first, 250)),
  ];
  const subscription = await api.create('/subscriptions', {
    accountId: first,
    externalKey: 'S-1',
    planName: 'pump-monthly',
  });
  return { accounts, invoices, payments, subscription };
}

async function plan(api: KillBillApi, planId: string, productName: string, amount: number): Promise<void> {
  await api.send('POST', '/catalog/simplePlan', {
    planId,
    productName,
    productCategory: 'BASE',
    currency: 'USD',
    amount,
    billingPeriod: 'MONTHLY',
    trialLength: 0,
    trialTimeUnit: 'UNLIMITED',
  });
}

function account(api: KillBillApi, number: number): Promise<string> {
  const address = {
    address1: '5 Dock Street',
    city: 'Brooklyn',
    state: 'NY',
    postalCode: '11201',
    country: 'US',
  };
  return api.create('/accounts', {
    name: `Customer ${number} LLC`,
    externalKey: `C-${String(number).padStart(3, '0')}`,
    email: `billing@customer-${number}.example`,
    currency: 'USD',
    ...(number === 1 && { company: 'Customer 1 Holding', phone: '+1 718 555 0100', ...address }),
  });
}

function charge(description: string, rate: number, quantity = 1): Fields {
  return { description, rate, quantity, amount: rate * quantity };
}

function paid(accountId: string, purchasedAmount: number): Fields {
  return { accountId, purchasedAmount };
}
