import { type Random, random } from '../../random.ts';
import type { SeedRow, SeedTable } from '../../row.ts';
import { compactDay, daysAgo, dottedDay } from '../../time.ts';
import { type Partner, vendors } from '../master/partners.ts';
import { buyers } from '../master/people.ts';
import { mainContactOf } from '../people/contacts.ts';
import { addressColumns, type SalesLine, salesLines, totalCents } from './lines.ts';
import { opportunities } from './opportunities.ts';
import { buyingCustomers, salesOrders } from './sales-orders.ts';

const OPEN = 200;
const FIRST = 720_001;

const statuses = { E: 12, V: 25, A: 10, L: 20, X: 25, S: 8 };
type Status = keyof typeof statuses | 'W';
/** Maximum age of quotes of a status, in days. They are valid for thirty days. */
const age: Readonly<Record<keyof typeof statuses, number>> = { E: 6, V: 28, A: 28, L: 600, X: 900, S: 500 };

interface Quote {
  readonly status: Status;
  /** V(erkauf) or E(inkauf) */
  readonly kind: 'V' | 'E';
  readonly partner: Partner;
  readonly channr: number | null;
  readonly vknr: number | null;
  /** Days ago. */
  readonly made: number;
  readonly lines: readonly SalesLine[];
}

const ordered = salesOrders.filter(({ vknr }) => vknr % 5 === 0);

/** Number of the quote that a sales order is based on. */
export const quoteOf: ReadonlyMap<number, number> = new Map(ordered.map(({ vknr }, index) => [vknr, FIRST + index]));

/** Quotes that became sales orders, and 200 others. */
export function quoteTables(): SeedTable[] {
  const random_ = random('angkopf');
  const quotes = [
    ...ordered.map((order, index): Quote => {
      const channr = opportunities[index]?.status === 'G' ? opportunities[index].channr : null;
      const { customer, vknr, lines } = order;
      return {
        status: 'W',
        kind: 'V',
        partner: customer,
        channr,
        vknr,
        made: order.ordered + random_.between(2, 20),
        lines,
      };
    }),
    ...Array.from({ length: OPEN }, () => waiting(random_)),
  ];
  return [
    { table: 'angkopf', rows: quotes.map((quote, index) => head(quote, FIRST + index, random_)) },
    {
      table: 'angpos',
      rows: quotes.flatMap((quote, index) => quote.lines.map((line) => row(quote, line, FIRST + index))),
    },
  ];
}

function waiting(random_: Random): Quote {
  const { between, chance, pick, weighted } = random_;
  const status = weighted(statuses);
  const made = status === 'X' ? between(31, age.X) : between(1, age[status]);
  const isAsked = chance(0.12);
  const chances = opportunities.filter((opportunity) => opportunity.status === (status === 'L' ? 'V' : 'O'));
  const opportunity = !isAsked && chance(0.5) ? pick(chances) : null;
  return {
    // Accepted quotes without an order are invoiced directly.
    status: status === 'A' && !isAsked && made > 10 ? 'W' : status,
    kind: isAsked ? 'E' : 'V',
    partner: isAsked ? pick(vendors) : (opportunity?.customer ?? pick(buyingCustomers)),
    channr: opportunity?.channr ?? null,
    vknr: null,
    made,
    lines: salesLines(random_),
  };
}

function head(
  { status, kind, partner, channr, vknr, made, lines }: Quote,
  angnr: number,
  { between, chance, pick }: Random,
): SeedRow {
  const isOurs = kind === 'V';
  return {
    angnr,
    belegnr: `QU-${angnr}`,
    beschr: chance(0.2) ? pick(['Budget price', 'Second version', 'As discussed on the telephone']) : null,
    art: kind,
    kdnr: isOurs ? partner.number : null,
    liefnr: isOurs ? null : partner.number,
    kontnr: mainContactOf(isOurs ? 'K' : 'L', partner.number),
    channr,
    status,
    angdat: compactDay(daysAgo(made)),
    gueltig: compactDay(daysAgo(made - 30)),
    waehr: partner.currency,
    kurs: partner.currency === 'EUR' ? 1 : null,
    zbnr: chance(0.8) ? between(1, 12) : null,
    zahlbed: pick(['Net 30, ex works', 'Net 14, free domicile', 'Half with the order, half on delivery']),
    betreuer: pick(buyers),
    konto: isOurs ? 54_010 : null,
    kst: pick(['2200', '5300']),
    schluessel: chance(0.1) ? pick(['X-PROJ', 'X-CAPEX']) : null,
    ...addressColumns('re', chance(0.3) ? partner : null),
    ...addressColumns('li', chance(0.3) ? partner : null),
    rabatt_proz: chance(0.1) ? pick([1, 2, 3]) : null,
    rabatt_ct: chance(0.03) ? 1_000 : null,
    kz_brutto: 'N',
    netto_ct: totalCents(lines, ({ net }) => net),
    pos_ust_ct: totalCents(lines, ({ tax }) => tax),
    kdtext: chance(0.4) ? 'We look forward to your order' : null,
    bem: chance(0.1) ? 'Margin agreed with sales management' : null,
    vorgelegt: status === 'E' ? null : daysAgo(made - 0.4).toISOString(),
    grund: status === 'S' ? pick(['S-DUP', 'S-NOT', 'S-CUST']) : null,
    statustext: null,
    vknr,
    ...dated(made),
  };
}

function row({ kind, made, partner }: Quote, line: SalesLine, angnr: number): SeedRow {
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
    stnr: posnr === 1 && kind === 'V' ? 1 : null,
    ust: tax,
    leistdat: typ === 'D' ? dottedDay(daysAgo(made - 40)) : null,
    konto: kind === 'V' ? 54_010 : null,
    kst: partner.number % 4 === 0 ? '2200' : null,
    schluessel: angnr % 25 === 0 ? 'X-OPEX' : null,
    ...dated(made),
  };
}

function dated(made: number): SeedRow {
  return { angelegt: compactDay(daysAgo(made)), changed_at: daysAgo(Math.max(made - 0.4, 0.1)).toISOString() };
}
