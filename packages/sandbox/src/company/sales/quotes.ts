import { type Random, random } from '../../random.ts';
import type { SeedRow, SeedTable } from '../../row.ts';
import { compactDay, daysAgo, dottedDay } from '../../time.ts';
import { centsIn, percentIn } from '../ledger/exchange-rates.ts';
import { type TradingRecord, vendors } from '../master/partners.ts';
import { buyers } from '../master/people.ts';
import { taxOf } from '../master/taxes.ts';
import { boughtFrom } from '../orders/purchase-orders.ts';
import { mainContactOf } from '../people/contacts.ts';
import { VALID } from '../procurement/offers.ts';
import { quotedOffers } from '../procurement/quotation-requests.ts';
import { addressColumns, cents, exchanged, type SalesLine, salesLines, taxed, totalCents } from './lines.ts';
import { opportunities } from './opportunities.ts';
import { buyingCustomers, salesOrders } from './sales-orders.ts';

const OPEN = 200;
const FIRST = 720_001;
/** Days that our own quotes are valid. */
const VALID_OF_OURS = 30;

const statuses = { E: 12, V: 25, A: 10, L: 20, X: 25, S: 8 };
type Status = keyof typeof statuses | 'W';
/** Maximum age of quotes of a status, in days. */
const age: Readonly<Record<keyof typeof statuses, number>> = { E: 6, V: 28, A: 28, L: 600, X: 900, S: 500 };

interface Quote {
  readonly angnr: number;
  readonly status: Status;
  /** V sales or E purchasing. */
  readonly kind: 'V' | 'E';
  readonly party: TradingRecord;
  readonly channr: number | null;
  readonly vknr: number | null;
  readonly anfnr: number | null;
  /** Days ago. */
  readonly made: number;
  /** Days that it is valid. */
  readonly valid: number;
  readonly lines: readonly SalesLine[];
}

const ordered = salesOrders.filter(({ vknr }) => vknr % 5 === 0);

/** Number of the quote that a sales order is based on. */
export const quoteOf: ReadonlyMap<number, number> = new Map(ordered.map(({ vknr }, index) => [vknr, FIRST + index]));

/** Quotes that became sales orders, 200 others, and quotes that vendors sent for requests. */
export function quoteTables(): SeedTable[] {
  const random_ = random('angkopf');
  const quotes = [
    ...ordered.map((order, index): Quote => {
      const channr = opportunities[index]?.status === 'G' ? opportunities[index].channr : null;
      const { customer, vknr, lines } = order;
      return {
        angnr: FIRST + index,
        status: 'W',
        kind: 'V',
        party: customer,
        channr,
        vknr,
        anfnr: null,
        made: order.ordered + random_.between(2, 20),
        valid: VALID_OF_OURS,
        lines,
      };
    }),
    ...Array.from({ length: OPEN }, (_, index) => waiting(FIRST + ordered.length + index, random_)),
    ...quotedOffers.map(received),
  ];
  return [
    { table: 'angkopf', rows: quotes.map((quote) => head(quote, random_)) },
    { table: 'angpos', rows: quotes.flatMap((quote) => quote.lines.map((line) => row(quote, line))) },
  ];
}

/** The quote that a vendor sent for a request. */
function received({ anfnr, angnr, vendor, status, came, lines }: (typeof quotedOffers)[number]): Quote {
  const undecided = came > VALID ? 'X' : 'V';
  return {
    angnr,
    status: status === 'Z' ? 'A' : status === 'N' ? 'L' : undecided,
    kind: 'E',
    party: vendor,
    channr: null,
    vknr: null,
    anfnr,
    made: came,
    valid: VALID,
    lines: lines.map(({ posnr, article, quantity, price }): SalesLine => {
      const { artid, name: text, unit } = article;
      const net = cents(quantity * price) / 100;
      const line = { posnr, kind: 'A' as const, artid, text, quantity, unit, price, discount: null, deduction: null };
      return taxed({ ...line, net }, taxOf('K', '010', vendor));
    }),
  };
}

function waiting(angnr: number, random_: Random): Quote {
  const { between, chance, pick, weighted } = random_;
  const status = weighted(statuses);
  const made = status === 'X' ? between(31, age.X) : between(1, age[status]);
  const isAsked = chance(0.12);
  const chances = opportunities.filter((opportunity) => opportunity.status === (status === 'L' ? 'V' : 'O'));
  const opportunity = !isAsked && chance(0.5) ? pick(chances) : null;
  const vendor = isAsked ? pick(vendors) : null;
  const party = vendor ?? opportunity?.customer ?? pick(buyingCustomers);
  const range = vendor ? { sold: boughtFrom(vendor), spare: boughtFrom(vendor) } : undefined;
  const tax = taxOf(isAsked ? 'K' : 'D', '010', party);
  return {
    angnr,
    // Accepted quotes without an order are invoiced directly.
    status: status === 'A' && !isAsked && made > 10 ? 'W' : status,
    kind: isAsked ? 'E' : 'V',
    party,
    channr: opportunity?.channr ?? null,
    vknr: null,
    anfnr: null,
    made,
    valid: VALID_OF_OURS,
    lines: exchanged(salesLines(random_, range), party.currency, made).map((line) => taxed(line, tax)),
  };
}

function head(
  { angnr, status, kind, party, channr, vknr, anfnr, made, valid, lines }: Quote,
  { between, chance, pick }: Random,
): SeedRow {
  const isOurs = kind === 'V';
  return {
    angnr,
    belegnr: `QU-${angnr}`,
    beschr: chance(0.2) ? pick(['Budget price', 'Second version', 'As discussed on the phone']) : null,
    art: kind,
    kdnr: isOurs ? party.number : null,
    liefnr: isOurs ? null : party.number,
    kontnr: mainContactOf(isOurs ? 'K' : 'L', party.number),
    channr,
    anfnr,
    status,
    angdat: compactDay(daysAgo(made)),
    gueltig: compactDay(daysAgo(made - valid)),
    waehr: party.currency,
    zbnr: chance(0.8) ? between(1, 12) : null,
    zahlbed: pick(['Net 30, ex works', 'Net 14 days, delivered', 'Half with the order, half on delivery']),
    betreuer: pick(buyers),
    konto: isOurs ? 54_010 : null,
    kst: pick(['2200', '5300']),
    schluessel: chance(0.1) ? pick(['X-PROJ', 'X-CAPEX']) : null,
    ...addressColumns('re', chance(0.3) ? party : null),
    ...addressColumns('li', chance(0.3) ? party : null),
    rabatt_proz: percentIn(party.currency, chance(0.1) ? pick([1, 2, 3]) : null),
    rabatt_ct: chance(0.03) ? centsIn(party.currency, 1_000, made) : null,
    kz_brutto: 'N',
    netto_ct: totalCents(lines, ({ net }) => net),
    pos_ust_ct: totalCents(lines, ({ tax }) => tax),
    kdtext: chance(0.4) && isOurs ? 'We look forward to your order' : null,
    bem: chance(0.1) ? (isOurs ? 'Margin agreed with sales management' : 'Compare with the last order') : null,
    vorgelegt: status === 'E' ? null : daysAgo(made - 0.4).toISOString(),
    grund: status === 'S' ? pick(['S-DUP', 'S-NOT', 'S-CUST']) : null,
    statustext: null,
    vknr,
    ...dated(made),
  };
}

function row({ angnr, kind, made, party }: Quote, line: SalesLine): SeedRow {
  const { posnr, kind: typ, artid, text, quantity, unit, price, discount, tax } = line;
  return {
    angnr,
    posnr,
    typ,
    artid,
    text,
    menge: quantity,
    eh: unit,
    preis: price,
    rabatt_proz: discount,
    rabatt_betrag: line.deduction,
    stnr: line.stnr,
    ust: tax,
    leistdat: typ === 'D' ? dottedDay(daysAgo(made - 40)) : null,
    konto: kind === 'V' ? 54_010 : null,
    kst: party.number % 4 === 0 ? '2200' : null,
    schluessel: angnr % 25 === 0 ? 'X-OPEX' : null,
    ...dated(made),
  };
}

function dated(made: number): SeedRow {
  return { angelegt: compactDay(daysAgo(made)), changed_at: daysAgo(Math.max(made - 0.4, 0.1)).toISOString() };
}
