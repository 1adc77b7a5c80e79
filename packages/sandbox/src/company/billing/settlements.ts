import { taxRates } from '../../data/tax-rates.ts';
import { type Random, random } from '../../random.ts';
import type { SeedRow, SeedTable } from '../../row.ts';
import { compactDay, daysAgo, dottedDay, withComma } from '../../time.ts';
import { centsIn, wholeIn } from '../ledger/exchange-rates.ts';
import { houseBankAccounts } from '../master/accounts.ts';
import { controlAccountOf } from '../master/partners.ts';
import { accountingPeriod } from './accounting-period.ts';
import type { Invoice } from './invoices.ts';

const FIRST_PAYMENT = 6_000_020_001;
const FIRST_CREDIT = 6_000_005_001;
const OPEN_CREDITS = 24;
/** Ledger accounts of the house banks by currency; other currencies use the account in euros. */
const houseBanks: Readonly<Record<string, string>> = { EUR: '1020', GBP: '1030', PLN: '1040' };

interface Allotment {
  readonly invoice: Invoice;
  readonly cents: number;
  readonly days: number;
}

/**
 * Payments and credit notes that settle the paid amounts of the invoices, some open credit, and the settlements themselves.
 * `more` returns credit notes without an invoice, numbered from its argument.
 */
export function settlementTables(all: readonly Invoice[], more: (first: number) => readonly SeedRow[]): SeedTable[] {
  const random_ = random('ausgleich');
  const payments: SeedRow[] = [];
  const credits: SeedRow[] = [];
  const links: SeedRow[] = [];
  for (const invoice of all.filter(({ paidCents }) => paidCents > 0)) {
    const [credited, parts] = shares(invoice, random_);
    if (credited) {
      credits.push(creditNote(credits.length, credited, true, random_));
      links.push(link('G', Number(credits.at(-1)?.gutnr), credited));
    }
    for (const part of parts) {
      payments.push(payment(payments.length, part, random_));
      links.push(link('Z', Number(payments.at(-1)?.zahlnr), part));
    }
  }
  for (let count = 0; count < OPEN_CREDITS; count++) {
    const invoice = random_.pick(all);
    const cents = Math.max(wholeIn(invoice.currency, invoice.totalCents / 10), 100);
    credits.push(creditNote(credits.length, { invoice, cents, days: invoice.age / 2 }, false, random_));
  }
  credits.push(...more(FIRST_CREDIT + credits.length));
  return [
    { table: 'zahlung', rows: payments },
    { table: 'gutschrift', rows: credits },
    { table: 'ausgleich', rows: links },
  ];
}

/** Settlement of an invoice: in part by a credit note, the rest by one or two payments. */
function shares(invoice: Invoice, { between, chance }: Random): [Allotment | null, Allotment[]] {
  const { paidCents, totalCents, age, settled, currency } = invoice;
  const isPaid = paidCents === totalCents;
  const credited = isPaid && chance(0.1) ? wholeIn(currency, (totalCents * between(5, 25)) / 100) : 0;
  const rest = paidCents - credited;
  const first = isPaid && chance(0.1) ? wholeIn(currency, rest / 2) : rest;
  const part = (cents: number, at: number) => ({ invoice, cents, days: at });
  const payments = [
    part(first, rest > first ? Math.max(Math.min(settled + 3, age - 1), settled) : settled),
    part(rest - first, settled),
  ].filter(({ cents }) => cents > 0);
  return [credited > 0 ? part(credited, settled) : null, payments];
}

function link(art: 'Z' | 'G', nr: number, { invoice, cents, days }: Allotment): SeedRow {
  return { art, nr, rechnr: invoice.rechnr, betrag_ct: cents, am: compactDay(daysAgo(days)) };
}

function allotted({ invoice, cents, days }: Allotment): SeedRow {
  const art = invoice.kind === 'D' ? 'R' : 'K';
  return { art, beleg: invoice.belegnr, betrag: withComma(cents / 100), am: compactDay(daysAgo(days)) };
}

function partyOf({ kind, party }: Invoice): SeedRow {
  return { kdnr: kind === 'D' ? party : null, liefnr: kind === 'K' ? party : null };
}

function payment(index: number, part: Allotment, { between, chance, pick }: Random): SeedRow {
  const { invoice, cents, days } = part;
  const zahlnr = FIRST_PAYMENT + index;
  // Occasionally, a customer pays in advance.
  const half = chance(0.03) ? centsIn(invoice.currency, between(1, 40) * 250, days) : 0;
  const advance = { art: 'V', beleg: null, betrag: withComma(half / 100), am: compactDay(daysAgo(days)) };
  const isCleared = days > 5;
  const bank = houseBanks[invoice.currency] ?? '1020';
  return {
    zahlnr,
    belegnr: `PA-${20_001 + index}`,
    beschr: half > 0 ? 'Includes a prepayment' : null,
    richtung: invoice.kind === 'D' ? 'E' : 'A',
    ...partyOf(invoice),
    konto: Number(bank) + 50_000,
    bkonr: houseBankAccounts[bank] ?? null,
    zahlart: invoice.kind === 'D' ? pick(['UEB', 'LAS']) : pick(['UEB', 'SAM']),
    mand: invoice.mand,
    kst: '1110',
    pernr: accountingPeriod(invoice.mand, daysAgo(days)),
    waehr: invoice.currency,
    schluessel: chance(0.1) ? 'X-OPEX' : null,
    status: isCleared ? 'B' : 'G',
    buchdat: dottedDay(daysAgo(days)),
    betrag_ct: cents + 2 * half,
    rest_ct: half,
    gebuehr: chance(0.1) ? withComma(between(35, 950) / 100) : null,
    kz_abgestimmt: isCleared ? 'J' : 'N',
    zuordnung: [allotted(part), ...(half > 0 ? [advance] : [])],
    bankref: chance(0.8) ? `E2E-${between(100_000, 999_999)}` : null,
    verwendung: `Invoice ${invoice.belegnr}`,
    angelegt: compactDay(daysAgo(days)),
    changed_at: daysAgo(Math.max(days - 1, 0.1)).toISOString(),
  };
}

const reasons = ['CR-RET', 'CR-DEF', 'CR-PRICE', 'CR-SHORT', 'CR-BONUS', 'CR-GOOD'];

function creditNote(index: number, part: Allotment, isApplied: boolean, { between, chance, pick }: Random): SeedRow {
  const { invoice, cents, days } = part;
  const status = isApplied ? 'A' : pick(['E', 'F', 'G', 'G', 'G', 'X']);
  const [line] = invoice.lines;
  const rate = line?.stnr ? taxRates[Number(line.stnr) - 1] : undefined;
  const percent = rate?.percent ?? 0;
  const tax = Math.round((cents * percent) / (100 + percent));
  const given = {
    pos: 1,
    artnr: line?.artid ? `IT-${line.artid}` : null,
    text: String(line?.text ?? 'Freight'),
    menge: '1',
    preis: withComma((cents - tax) / 100),
    stkz: rate?.code ?? null,
    ust: withComma(tax / 100),
    betrag: withComma((cents - tax) / 100),
    ktonr: invoice.kind === 'D' ? '4070' : '5060',
    projkz: null,
  };
  return {
    gutnr: FIRST_CREDIT + index,
    belegnr: `CN-${5_001 + index}`,
    beschr: chance(0.2) ? 'As agreed with the salesperson' : null,
    belegart: invoice.kind,
    ...partyOf(invoice),
    rechnr: invoice.rechnr,
    retnr: null,
    status,
    mand: invoice.mand,
    kst: '1110',
    konto: Number(controlAccountOf(invoice.kind, invoice.party)) + 50_000,
    waehr: invoice.currency,
    schluessel: chance(0.1) ? 'X-OPEX' : null,
    gutdat: dottedDay(daysAgo(days)),
    kz_brutto: 'N',
    ust_ct: tax,
    brutto_ct: cents,
    rest_ct: isApplied ? 0 : cents,
    angerechnet_am: isApplied ? daysAgo(days).toISOString() : null,
    grund: pick(reasons),
    positionen: [given],
    zuordnung: isApplied ? [allotted(part)] : [],
    zeichen: chance(0.3) ? `R-${between(10_000, 99_999)}` : null,
    bem: chance(0.05) ? 'Goods were scrapped on site' : null,
    angelegt: compactDay(daysAgo(days)),
    changed_at: daysAgo(Math.max(days - 0.5, 0.1)).toISOString(),
  };
}
