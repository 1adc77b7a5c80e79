import { paymentTerms } from '../../data/payment-terms.ts';
import { type Random, random } from '../../random.ts';
import type { SeedRow, SeedTable } from '../../row.ts';
import { compactDay, daysAgo, dottedDay } from '../../time.ts';
import { wholeIn } from '../ledger/exchange-rates.ts';
import { controlAccountOf } from '../master/partners.ts';
import { foremen } from '../master/people.ts';
import { accountingPeriod } from './accounting-period.ts';
import type { Draft } from './draft.ts';
import { type Documents, drafts, netCents } from './drafts.ts';

const FIRST = 6_000_001_001;
/** Payment term of some invoices: 30 % immediately, 40 % after 45 days, 30 % after 90 days. */
const BY_INSTALLMENTS = 12;

/** An invoice with the data needed to settle it. */
export interface Invoice {
  readonly rechnr: number;
  readonly belegnr: string;
  readonly kind: 'D' | 'K';
  readonly party: number;
  readonly currency: string;
  readonly mand: string;
  readonly age: number;
  readonly totalCents: number;
  /** Amount paid by the seed date. */
  readonly paidCents: number;
  /** Days since the last payment. */
  readonly settled: number;
  readonly lines: readonly SeedRow[];
}

/** Invoices to customers and from vendors with their lines; the first goes to Baker & Sons and is still open. */
export function invoices(documents: Documents): {
  readonly heads: readonly SeedRow[];
  readonly all: readonly Invoice[];
} {
  const random_ = random('rechkopf');
  const made = drafts(documents, random_).map((draft, index) => invoice(draft, index, random_));
  return { heads: made.map(({ head }) => head), all: made.map(({ invoice: each }) => each) };
}

export function invoiceTables({ heads, all }: ReturnType<typeof invoices>): SeedTable[] {
  return [
    { table: 'rechkopf', rows: heads },
    { table: 'rechpos', rows: all.flatMap(({ lines }) => lines) },
  ];
}

/** Status of an invoice: its total, the amount paid and its due date. */
interface State {
  readonly status: string;
  readonly term: number;
  readonly due: Date;
  readonly netCents: number;
  /** Tax of the lines, before the discount on the whole invoice. */
  readonly lineTaxCents: number;
  readonly taxCents: number;
  readonly totalCents: number;
  readonly paidCents: number;
  readonly settled: number;
}

function invoice(draft: Draft, index: number, random_: Random): { head: SeedRow; invoice: Invoice } {
  const { kind, party, currency, mand, age } = draft;
  const rechnr = FIRST + index;
  const belegnr = `IN-${1_001 + index}`;
  const lines = draft.lines.map((line, position): SeedRow => ({ ...line, rechnr, posnr: position + 1 }));
  const state = stateOf(draft, index, random_);
  const { totalCents, paidCents, settled } = state;
  const head = {
    rechnr,
    belegnr,
    ...headOf(draft, state, belegnr, random_),
    ...moments(state, draft, random_),
    ...draft.own,
  };
  return {
    head,
    invoice: { rechnr, belegnr, kind, party, currency, mand, age, totalCents, paidCents, settled, lines },
  };
}

function stateOf(draft: Draft, index: number, random_: Random): State {
  const { age, currency, lines, freightCents, discount, status: known, isPosted = false } = draft;
  const { between } = random_;
  const isFirst = index === 0;
  const net = lines.reduce((sum, line) => sum + netCents(line), 0);
  const lineTaxCents = lines.reduce((sum, { ust }) => sum + Math.round(Number(ust) * 100), 0);
  const lessCents = discount.cents + Math.round((net * discount.percent) / 100);
  const taxCents = net === 0 ? lineTaxCents : Math.round((lineTaxCents * (net - lessCents)) / net);
  const totalCents = net + taxCents + freightCents - lessCents;
  const drawnTerm = between(1, 7);
  const term = isFirst ? 1 : index % 12 === 5 ? BY_INSTALLMENTS : drawnTerm;
  const days = paymentTerms[term - 1]?.days ?? 30;
  const free = statusOf(age, days, random_);
  const drawn = isPosted ? postedAs(free) : free;
  const status = isFirst ? 'G' : (known ?? drawn);
  const share = status === 'B' ? 1 : status === 'T' ? between(30, 70) / 100 : 0;
  const settled = Math.min(Math.max(age - days + between(0, 6), 0.2), bookedAt(age));
  const due = daysAgo(age - days);
  const paidCents = wholeIn(currency, totalCents * share);
  return { status, term, due, netCents: net, lineTaxCents, taxCents, totalCents, paidCents, settled };
}

function headOf(draft: Draft, state: State, belegnr: string, { between, chance, pick }: Random): SeedRow {
  const { kind, mand, age, currency, freightCents, discount } = draft;
  const { status, term, due, totalCents, paidCents } = state;
  const open = 'SX'.includes(status) ? 0 : totalCents - paidCents;
  const own = belegnr.toLowerCase();
  return {
    fremdnr: kind === 'K' ? `${pick(['RE', 'INV', 'F'])}${between(10, 99)}-${own.slice(3)}` : belegnr,
    belegart: kind,
    vorgang: chance(0.04) ? 'A' : 'R',
    beschr: chance(0.2) ? pick(['As agreed', 'Partial delivery', 'Delivery of the month']) : null,
    status,
    mand,
    kst: kind === 'D' ? '1110' : pick(['2000', '2200', '4100']),
    zbnr: term,
    zahlart: kind === 'D' ? pick(['UEB', 'LAS']) : pick(['UEB', 'SAM']),
    waehr: currency,
    konto: Number(controlAccountOf(kind, draft.party)) + 50_000,
    schluessel: chance(0.15) ? pick(['X-OPEX', 'X-CAPEX', 'X-OPEX X-ENER']) : null,
    rechdat: dottedDay(daysAgo(age)),
    faelldat: dottedDay(due),
    eingdat: kind === 'K' ? compactDay(daysAgo(Math.max(age - 2, 0))) : null,
    kz_brutto: 'N',
    rabatt_proz: discount.percent || null,
    rabatt_ct: discount.cents || null,
    fracht_ct: freightCents || null,
    netto_ct: state.netCents,
    pos_ust_ct: state.lineTaxCents,
    ust_ct: state.taxCents,
    brutto_ct: totalCents,
    bezahlt_ct: paidCents,
    offen_ct: open,
    grund: status === 'S' ? pick(['S-DUP', 'S-ERR', 'S-NOT']) : null,
    zeichen: chance(0.3) ? `R-${between(10_000, 99_999)}` : null,
    kopftext: kind === 'D' && chance(0.2) ? 'Thank you for your order' : null,
    bem: chance(0.05) ? 'Price agreed by phone' : null,
    beleg_url: kind === 'K' && chance(0.5) ? `https://documents.northwind.example/${own}.pdf` : null,
  };
}

/** When an invoice of this age was approved and posted; it is not paid before. */
function bookedAt(age: number): number {
  return Math.max(age - 1, 0.3);
}

/** Dates of the events of an invoice. */
function moments({ status, paidCents, settled }: State, { age, mand }: Draft, { pick }: Random): SeedRow {
  const at = (days: number) => daysAgo(days).toISOString();
  const isBooked = 'FGTUB'.includes(status);
  const booked = isBooked ? at(bookedAt(age)) : null;
  return {
    freigeber: isBooked ? pick(foremen) : null,
    freigabe_am: booked,
    gebucht_am: booked,
    pernr: isBooked ? accountingPeriod(mand, daysAgo(age)) : null,
    bezahlt_am: status === 'B' ? at(settled) : null,
    letzte_zahlung: paidCents > 0 ? compactDay(daysAgo(settled)) : null,
    storno_am: 'SX'.includes(status) ? at(Math.max(age - 3, 0.2)) : null,
    angelegt: compactDay(daysAgo(age)),
    changed_at: at(paidCents > 0 ? settled : Math.max(age - 1, 0.1)),
  };
}

/** The status of an invoice that is neither a draft nor withdrawn. */
function postedAs(status: string): string {
  if ('EV'.includes(status)) return 'F';
  return 'SX'.includes(status) ? 'B' : status;
}

function statusOf(age: number, days: number, { weighted }: Random): string {
  if (age <= 3) return 'E';
  if (age <= 6) return 'V';
  if (age <= 9) return 'F';
  return age < days ? weighted({ G: 60, T: 10, B: 28, S: 2 }) : weighted({ B: 86, G: 8, T: 3, S: 2, X: 1 });
}
