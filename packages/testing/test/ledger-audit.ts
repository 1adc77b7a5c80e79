import type { Company } from './served-company.ts';

export interface Reference {
  readonly id: string;
  readonly _displayValue: string;
}

export interface JournalLine {
  readonly account: Reference;
  readonly organization: Reference | null;
  readonly currency: Reference;
  readonly amount: number;
  readonly companyAmount: number;
  readonly exchangeRate: number;
  readonly transactionDate: string;
  readonly postingStatus: string;
  readonly taxRate: Reference | null;
  readonly journalEntry: Reference;
}

interface TaxRate {
  readonly id: string;
  readonly rate: number;
  readonly totalRate: number | null;
}
interface Taxed {
  readonly id: string;
  readonly organization: Reference | null;
  readonly currency: Reference;
  readonly statusCategory: string;
  readonly documentType?: string;
  readonly invoiceType?: string;
  readonly creditType?: string;
  readonly taxTotal: number | null;
}
interface InvoiceLine {
  readonly invoice: Reference;
  readonly taxRate: Reference | null;
  readonly total: number;
}

interface Account extends Reference {
  readonly code: string;
  readonly isHeader: boolean;
  readonly balance: number;
  readonly currency: Reference;
  readonly parent: Reference | null;
}
interface OpenItem {
  readonly account: Reference;
  readonly organization: Reference | null;
  readonly currency: Reference;
  readonly openAmount: number;
}
interface Level {
  readonly totalValue: number;
  readonly item: Reference;
  readonly currency: Reference;
}
interface Item extends Reference {
  readonly assetAccount: Reference | null;
}
interface Rate {
  readonly currency: Reference;
  readonly rate: number;
  readonly effectiveDate: string;
}
interface Organization extends Reference {
  readonly code: string;
  readonly currency: Reference;
}

/** Differences that an auditor finds in the books, each with its amount; empty if there are none. */
export interface Audit {
  readonly trialBalance: readonly string[];
  /** In the currency of each company. */
  readonly companyBalance: readonly string[];
  readonly openItems: readonly string[];
  readonly stock: readonly string[];
  readonly balances: readonly string[];
  readonly taxes: readonly string[];
}

/** Reads the books of the company, and compares them with its accounts, open items and stock. */
export async function audit(company: Company): Promise<Audit> {
  const all = await company.all<JournalLine>('/journal-lines');
  const lines = all.filter(({ postingStatus }) => postingStatus === 'posted');
  const accounts = await company.all<Account>('/accounts');
  const codeOf = new Map(accounts.map(({ id, code }) => [id, code]));
  return {
    trialBalance: differences(lines, [], ({ organization, currency }) => keyOf(organization, currency)),
    companyBalance: companyBalance(lines),
    openItems: await openItems(company, lines, codeOf),
    stock: await stock(company, lines, codeOf),
    balances: await balances(company, lines, accounts),
    taxes: await taxes(company, lines, codeOf),
  };
}

/** The sum of each entry in the currency of its company, and lines whose amount does not match the exchange rate. */
function companyBalance(lines: readonly JournalLine[]): string[] {
  const inCompany = lines.map(({ companyAmount, journalEntry }) => ({ amount: companyAmount, journalEntry }));
  const isConverted = ({ amount, exchangeRate, companyAmount }: JournalLine) =>
    Math.abs(amount * exchangeRate - companyAmount) < 0.011;
  return [
    ...differences(inCompany, [], ({ journalEntry }) => keyOf(journalEntry)),
    ...lines.filter((line) => !isConverted(line)).map(({ journalEntry }) => `${keyOf(journalEntry)} is not converted`),
  ];
}

/** Receivables and payables by company, account and currency. */
async function openItems(company: Company, lines: readonly JournalLine[], codeOf: ReadonlyMap<string, string>) {
  const isControl = ({ account }: { readonly account: Reference }) =>
    ['1210', '1220', '1610', '1620'].includes(codeOf.get(account.id) ?? '');
  const receivables = await company.all<OpenItem>('/receivables');
  const payables = await company.all<OpenItem>('/payables');
  const items = [
    ...receivables.map((item) => ({ ...item, amount: item.openAmount })),
    ...payables.map((item) => ({ ...item, amount: -item.openAmount })),
  ];
  return differences(lines.filter(isControl), items, ({ account, organization, currency }) =>
    keyOf(account, organization, currency),
  );
}

/** Stock by account and currency. */
async function stock(company: Company, lines: readonly JournalLine[], codeOf: ReadonlyMap<string, string>) {
  const items = new Map((await company.all<Item>('/items')).map((item) => [item.id, item]));
  const levels = (await company.all<Level>('/stock-levels')).flatMap(({ item, currency, totalValue }) => {
    const account = items.get(item.id)?.assetAccount;
    return account ? [{ account, currency, amount: totalValue }] : [];
  });
  const isStock = ({ account }: JournalLine) => /^11[1-6]0$/.test(codeOf.get(account.id) ?? '');
  return differences(lines.filter(isStock), levels, ({ account, currency }) => keyOf(account, currency));
}

/** Accounts whose balance is not the sum of the accounts below them. */
async function balances(company: Company, lines: readonly JournalLine[], accounts: readonly Account[]) {
  const organizations = await company.all<Organization>('/organizations');
  const currencyOf = new Map(organizations.map(({ id, currency }) => [id, currency.id]));
  const rates = (await company.all<Rate>('/exchange-rates')).sort((one, other) =>
    one.effectiveDate.localeCompare(other.effectiveDate),
  );
  const euros = (currency: string | undefined, day: string) => {
    const known = rates.filter((rate) => rate.currency.id === currency);
    return (known.findLast(({ effectiveDate }) => effectiveDate <= day) ?? known[0])?.rate ?? 1;
  };
  const byAccount = Map.groupBy(lines, ({ account }) => account.id);
  const inEuros = ({ amount, exchangeRate, organization, transactionDate }: JournalLine) =>
    amount * exchangeRate * euros(currencyOf.get(organization?.id ?? ''), transactionDate);
  const worthOf = ({ id, currency }: Account): number =>
    (byAccount.get(id) ?? []).reduce(
      (sum, line) =>
        sum +
        (line.currency.id === currency.id ? line.amount : inEuros(line) / euros(currency.id, line.transactionDate)),
      0,
    );
  return accounts
    .filter(({ isHeader }) => !isHeader)
    .flatMap((account) => {
      // Each amount in another currency is rounded once.
      const count = byAccount.get(account.id)?.length ?? 0;
      const difference = worthOf(account) - account.balance;
      return Math.abs(difference) > 0.011 * (count + 1) ? [`${account.code} ${difference.toFixed(2)}`] : [];
    });
}

/** Input and output tax by company and currency: from posted documents, and from entries without a document. */
async function taxes(company: Company, lines: readonly JournalLine[], codeOf: ReadonlyMap<string, string>) {
  const rates = new Map((await company.all<TaxRate>('/tax-rates')).map((rate) => [rate.id, rate]));
  const byInvoice = Map.groupBy(await company.all<InvoiceLine>('/invoice-lines'), ({ invoice }) => invoice.id);
  const posted = ['approved', 'sent', 'partially_paid', 'overdue', 'paid'];
  const credited = ['posted', 'partially_applied', 'applied'];
  const owned = (account: string, { organization, currency }: Taxed | JournalLine, amount: number) => ({
    ...{ account, organization, currency, amount },
  });
  const ofInvoices = (await company.all<Taxed>('/invoices')).flatMap((invoice) => {
    if (!posted.includes(invoice.statusCategory)) return [];
    const sign = invoice.documentType === 'credit' ? -1 : 1;
    if (invoice.invoiceType === 'accounts_receivable')
      return [owned('1710', invoice, -sign * Number(invoice.taxTotal))];
    const reversed = (byInvoice.get(invoice.id) ?? []).reduce((sum, { taxRate, total }) => {
      const { rate = 0, totalRate = 0 } = rates.get(taxRate?.id ?? '') ?? {};
      return sum + (rate === 0 ? Math.round(total * Number(totalRate)) / 100 : 0);
    }, 0);
    const input = owned('1250', invoice, sign * (Number(invoice.taxTotal) + reversed));
    return [input, owned('1710', invoice, -sign * reversed)];
  });
  const ofCredits = (await company.all<Taxed>('/credit-notes')).flatMap((credit) => {
    if (!credited.includes(credit.statusCategory)) return [];
    const isOurs = credit.creditType === 'accounts_receivable';
    return [owned(isOurs ? '1710' : '1250', credit, isOurs ? Number(credit.taxTotal) : -Number(credit.taxTotal))];
  });
  const taxed = lines.filter(({ taxRate }) => taxRate !== null);
  const ofEntries = [...Map.groupBy(taxed, ({ journalEntry }) => journalEntry.id).values()].flatMap((own) => {
    const net = own.reduce((sum, { amount }) => sum + amount, 0);
    return own
      .slice(0, 1)
      .map((line) => owned('1250', line, Math.round(net * (rates.get(line.taxRate?.id ?? '')?.rate ?? 0)) / 100));
  });
  const booked = lines.flatMap((line) => {
    const account = codeOf.get(line.account.id) ?? '';
    return account === '1250' || account === '1710' ? [owned(account, line, line.amount)] : [];
  });
  return differences(
    booked,
    [...ofInvoices, ...ofCredits, ...ofEntries],
    ({ account, organization, currency }) => `${account} ${keyOf(organization, currency)}`,
  );
}

function keyOf(...references: readonly (Reference | null)[]): string {
  return references.map((reference) => reference?._displayValue ?? '-').join(', ');
}

interface Amount {
  readonly amount: number;
}

/** The sums by key in which the first list differs from the second. */
function differences<One extends Amount, Other extends Amount>(
  ones: readonly One[],
  others: readonly Other[],
  key: (entry: One | Other) => string,
): string[] {
  const cents = new Map<string, number>();
  const add = (entry: One | Other, sign: number) =>
    cents.set(key(entry), (cents.get(key(entry)) ?? 0) + sign * Math.round(entry.amount * 100));
  for (const entry of ones) add(entry, 1);
  for (const entry of others) add(entry, -1);
  return [...cents].filter(([, sum]) => sum !== 0).map(([name, sum]) => `${name}: ${sum / 100}`);
}
