import { type Random, random } from '../../random.ts';
import type { SeedRow, SeedTable } from '../../row.ts';
import { compactDay, daysAgo, dottedDay, withComma } from '../../time.ts';
import { anyWorkOrder } from '../../work-order-numbers.ts';
import { customers, vendors } from '../master/partners.ts';
import { people } from '../master/people.ts';
import { periods } from './fiscal-years.ts';
import { openingEntries } from './opening-entries.ts';
import { blankPosition } from './positions.ts';

const PARKED = 30;
const POSTED = 600;
/** Parked entries have their own number range, before that of posted ones. */
const FIRST_PARKED = 7_000_001;
const FIRST_POSTED = 8_000_001;

interface Company {
  readonly mand: string;
  readonly calendar: number;
  readonly currency: string;
  readonly bank: string;
  readonly unit: string;
  /** Standard rate on purchases, in percent. */
  readonly inputTax: { readonly code: string; readonly percent: number };
}

const german = { code: 'V19', percent: 19 };

const companies: readonly Company[] = [
  { mand: '010', calendar: 1, currency: 'EUR', bank: '1020', unit: '4100', inputTax: german },
  { mand: '010', calendar: 1, currency: 'EUR', bank: '1020', unit: '3100', inputTax: german },
  { mand: '020', calendar: 2, currency: 'GBP', bank: '1030', unit: '5200', inputTax: { code: 'GBV20', percent: 20 } },
  { mand: '030', calendar: 1, currency: 'PLN', bank: '1040', unit: '6200', inputTax: { code: 'PLV23', percent: 23 } },
];

/**
 * A kind of event without a document: text, debit and credit account (null for the bank), minimum and maximum amount, and
 * special cases. Documents have their own entries, so no event concerns receivables, payables or stock.
 */
interface Event {
  readonly text: string;
  readonly debit: string | null;
  readonly credit: string | null;
  readonly from: number;
  readonly to: number;
  readonly party?: 'customer' | 'vendor' | 'employee';
  readonly source?: 'A' | 'B';
  readonly isReversed?: boolean;
  /** Whether the amount includes tax that is recovered. */
  readonly isTaxed?: boolean;
}

const events: readonly Event[] = [
  { text: 'Rent of the warehouse', debit: '6550', credit: null, from: 4_000, to: 9_000 },
  { text: 'Electricity', debit: '6510', credit: null, from: 8_000, to: 32_000, isTaxed: true },
  { text: 'Bank charges', debit: '6870', credit: null, from: 20, to: 400 },
  { text: 'Depreciation of machines', debit: '7220', credit: '0030', from: 12_000, to: 60_000 },
  { text: 'Salaries', debit: '6020', credit: null, from: 60_000, to: 240_000 },
  { text: 'Travel expenses', debit: '6060', credit: '1640', from: 60, to: 1_900, party: 'employee' },
  { text: 'Technicians for work order', debit: '5530', credit: '1730', from: 15, to: 2_400, source: 'A' },
  {
    text: 'Customs for purchase order',
    debit: '5050',
    credit: '1730',
    from: 30,
    to: 1_800,
    source: 'B',
    party: 'vendor',
  },
  { text: 'Rent of a machine', debit: null, credit: '4060', from: 500, to: 4_200, party: 'customer' },
  { text: 'Accrued electricity', debit: '6510', credit: '1730', from: 6_000, to: 30_000, isReversed: true },
];

/** The opening balances, 30 parked entries of this month and 600 posted ones of the last two years. */
export function journalEntryTable(): SeedTable {
  const random_ = random('buchung');
  const parked = Array.from({ length: PARKED }, (_, index) => ({ number: FIRST_PARKED + index, days: index % 19 }));
  const posted = Array.from({ length: POSTED }, (_, index) => ({
    number: FIRST_POSTED + index,
    days: 20 + Math.floor(((POSTED - index) * 680) / POSTED),
  }));
  const entered = [...parked, ...posted].map((entry) => journalEntry(entry, random_));
  return { table: 'buchung', rows: [...openingEntries(), ...entered] };
}

function journalEntry({ number, days }: { number: number; days: number }, random_: Random): SeedRow {
  const { between, chance, pick } = random_;
  const company = pick(companies);
  const event = pick(events);
  const isPosted = number >= FIRST_POSTED;
  const status = isPosted ? (chance(0.02) ? 'S' : 'G') : number === FIRST_PARKED || chance(0.7) ? 'E' : 'V';
  const booked = daysAgo(days);
  const day = compactDay(booked);
  const period = periods.find(
    ({ calendar, from, to, isAdjustment }) =>
      calendar === company.calendar && from <= day && day <= to && !isAdjustment,
  );
  const drawn = between(event.from * 100, event.to * 100);
  const amount = (event.isTaxed ? withTax(drawn, company.inputTax.percent) : drawn) / 100;
  return {
    buchnr: number,
    belegnr: isPosted ? `JE-${10_001 + number - FIRST_POSTED}` : `JP-${1_001 + number - FIRST_PARKED}`,
    beschr: chance(0.1) ? 'Checked by controlling' : null,
    buchdat: day,
    status,
    waehr: company.currency,
    mand: company.mand,
    text: event.text,
    zeichen: chance(0.8)
      ? `${event.credit === null || event.debit === null ? 'BANK' : 'DOC'}-${between(10_000, 99_999)}`
      : null,
    quelle_art: event.source ?? null,
    quelle: sourceOf(event, random_),
    pernr: period?.pernr ?? null,
    kz_storno: event.isReversed ? 'J' : 'N',
    stornodat: event.isReversed ? dottedDay(firstOfNextMonth(booked)) : null,
    gebucht_am: status === 'G' ? daysAgo(days - 0.5).toISOString() : null,
    positionen: positionsOf(event, company, amount, random_),
    soll_ct: Math.round(amount * 100),
    haben_ct: Math.round(amount * 100),
    angelegt: day,
    changed_at: daysAgo(Math.max(days - 0.5, 0.1)).toISOString(),
  };
}

/** The net part of an amount in cents and the tax on it. */
function withTax(cents: number, percent: number): number {
  const net = Math.round((cents * 100) / (100 + percent));
  return net + Math.round((net * percent) / 100);
}

function sourceOf({ source }: Event, { between }: Random): number | null {
  if (source === 'A') return anyWorkOrder({ between });
  return source === 'B' ? 4_500_001_001 + between(0, 1_499) : null;
}

function firstOfNextMonth(date: Date): Date {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1));
}

/** A debit, sometimes split into two, its tax, and a credit. */
function positionsOf(event: Event, company: Company, amount: number, random_: Random): SeedRow[] {
  const { bank, unit, currency, inputTax } = company;
  const { chance, pick } = random_;
  const total = Math.round(amount * 100);
  const tax = event.isTaxed ? total - Math.round((total * 100) / (100 + inputTax.percent)) : 0;
  const net = total - tax;
  const part = chance(0.25) ? Math.round(net * 0.6) : net;
  const shares = part < net ? [part, net - part] : [net];
  const party = {
    ...(event.party === 'customer' && { kd: `C-${pick(customers).number}` }),
    ...(event.party === 'vendor' && { lf: `V-${pick(vendors).number}` }),
    ...(event.party === 'employee' && { pers: `E-${pick(people).persnr}` }),
  };
  const debits = shares.map(
    (share, index): SeedRow => ({
      ...blankPosition,
      konto: event.debit ?? bank,
      soll: withComma(share / 100),
      text: index === 0 ? null : 'Second share',
      kst: /^[5-7]/.test(event.debit ?? bank) ? unit : null,
      stkz: event.isTaxed ? inputTax.code : null,
      proj: event.source ? `PJ-${101 + (Math.round(amount) % 40)}` : null,
      schl: chance(0.1) ? pick(['X-OPEX', 'X-OPEX X-ENER']) : null,
    }),
  );
  const taxes = tax > 0 ? [{ ...blankPosition, konto: '1250', soll: withComma(tax / 100), text: 'Input tax' }] : [];
  const credit = { ...blankPosition, ...party, konto: event.credit ?? bank, haben: withComma(amount) };
  return [...debits, ...taxes, credit].map((position, index) => ({ ...position, pos: index + 1, waehr: currency }));
}
