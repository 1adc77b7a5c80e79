import { type Random, random } from '../../random.ts';
import type { SeedRow, SeedTable } from '../../row.ts';
import { compactDay, daysAgo, dottedDay } from '../../time.ts';
import { centsIn, percentIn } from '../ledger/exchange-rates.ts';
import { customers, type TradingRecord } from '../master/partners.ts';
import { buyers } from '../master/people.ts';
import { places } from '../master/places.ts';
import { taxOf } from '../master/taxes.ts';
import { mainContactOf } from '../people/contacts.ts';
import {
  addressColumns,
  exchanged,
  rangeOf,
  type SalesLine,
  salesLines,
  taxed,
  totalCents,
  type UntaxedLine,
} from './lines.ts';

const COUNT = 600;
const FIRST = 730_001;

const statuses = { '10': 7, '15': 2, '20': 18, '30': 12, '40': 12, '50': 14, '60': 29, '90': 6 };
type Status = keyof typeof statuses;
/** Days since orders of a status were placed: minimum and maximum. */
const age: Readonly<Record<Status, readonly [number, number]>> = {
  '10': [1, 8],
  '15': [1, 12],
  '20': [1, 25],
  '30': [12, 45],
  '40': [14, 50],
  '50': [20, 90],
  '60': [60, 1_200],
  '90': [10, 700],
};

/** The first ones are open, so that users have orders to ship; one is held for credit. */
const first: readonly Status[] = ['20', '20', '20', '20', '15'];

/** A line of an order with its shipped quantity. */
export interface OrderLine extends SalesLine {
  readonly shipped: number;
}

export interface SalesOrder {
  readonly vknr: number;
  readonly code: string;
  readonly status: Status;
  readonly customer: TradingRecord;
  /** Days ago. */
  readonly ordered: number;
  /** Days ago; null until everything is shipped. */
  readonly shipped: number | null;
  readonly store: (typeof places)[number];
  readonly lines: readonly OrderLine[];
}

export const stores = places.filter(({ kind, werknr }) => kind === 'warehouse' && werknr < 1_060);
/** Stores that keep machines and spare parts. */
const shipping = stores
  .map((store) => ({ store, range: rangeOf(store.platznr) }))
  .filter(({ range: { sold, spare } }) => sold.length > 0 && spare.length > 0);
export const buyingCustomers = customers.filter(({ blocked }) => !blocked);

/** 600 sales orders of the last years. */
export const salesOrders: readonly SalesOrder[] = everyOrder();

function everyOrder(): SalesOrder[] {
  const random_ = random('vkkopf');
  return Array.from({ length: COUNT }, (_, index) => {
    const drawn = first[index] ?? random_.weighted(statuses);
    const ordered = random_.between(...age[drawn]);
    const { store, range } = random_.pick(shipping);
    const plain = salesLines(random_, range);
    // An order of a single piece cannot be shipped in parts.
    const status = drawn === '30' && pieces(plain) === 1 ? '20' : drawn;
    const all = status >= '40' && status < '90';
    const customer = random_.pick(buyingCustomers);
    const tax = taxOf('D', store.mand, customer);
    const priced = exchanged(plain, customer.currency, ordered);
    const lines = priced.map((line, position) => ({ ...taxed(line, tax), shipped: gone(line, position, status) }));
    return {
      vknr: FIRST + index,
      code: `SO-${FIRST + index}`,
      status,
      customer,
      ordered,
      shipped: all ? ordered - random_.between(3, 10) : null,
      store,
      lines,
    };
  });
}

function pieces(lines: readonly UntaxedLine[]): number {
  return lines.filter(({ kind }) => kind === 'A').reduce((sum, { quantity }) => sum + quantity, 0);
}

/** Shipped quantity: half of the first line of a partly shipped order, or all of it if it is one piece. */
function gone({ kind, quantity }: UntaxedLine, position: number, status: Status): number {
  if (kind !== 'A' || status < '30' || status === '90') return 0;
  if (status > '30') return quantity;
  return position === 0 ? Math.ceil(quantity / 2) : 0;
}

/** Returned goods by "order/position", with the refund in cents. */
export type Returned = ReadonlyMap<string, { readonly quantity: number; readonly credited: number }>;

export function salesOrderTables(quoteOf: ReadonlyMap<number, number>, returned: Returned): SeedTable[] {
  const random_ = random('vkkopf-data');
  return [
    { table: 'vkkopf', rows: salesOrders.map((order) => head(order, quoteOf, returned, random_)) },
    { table: 'vkpos', rows: salesOrders.flatMap((order) => order.lines.map((line) => row(order, line, returned))) },
  ];
}

function head(
  order: SalesOrder,
  quoteOf: ReadonlyMap<number, number>,
  returned: Returned,
  { between, chance, pick }: Random,
): SeedRow {
  const { vknr, code, status, customer, ordered, shipped, store, lines } = order;
  const refunded = lines.reduce((sum, { posnr }) => sum + (returned.get(`${vknr}/${posnr}`)?.credited ?? 0), 0);
  const finished = status === '60' || status === '90';
  const iso = (days: number) => daysAgo(Math.max(days, 0.2)).toISOString();
  return {
    vknr,
    belegnr: code,
    beschr: chance(0.2)
      ? pick(['Spring series', 'Spare parts for the season', 'Second shift starts in January'])
      : null,
    kdnr: customer.number,
    kontnr: mainContactOf('K', customer.number),
    betreuer: pick(buyers),
    mand: store.mand,
    werknr: store.werknr,
    status,
    zahl_status: paymentOf(order, refunded, chance(0.3)),
    vers_status: progressOf(order, returned),
    bestdat: dottedDay(daysAgo(ordered)),
    wunschdat: compactDay(daysAgo(ordered - 14)),
    zusagedat: status >= '20' ? compactDay(daysAgo(ordered - between(10, 18))) : null,
    freigabe: status >= '20' && status !== '90' ? iso(ordered - 0.5) : null,
    versandt: shipped === null ? null : iso(shipped),
    abschluss: finished ? iso(ordered - 40) : null,
    waehr: customer.currency,
    zbnr: chance(0.8) ? between(1, 12) : null,
    zahlart: chance(0.8) ? pick(['UEB', 'LAS']) : null,
    versandart: pick(['Road', 'Parcel', 'Sea', 'Air']),
    ...addressColumns('re', chance(0.4) ? customer : null),
    ...addressColumns('li', chance(0.3) ? customer : null),
    rabatt_proz: percentIn(customer.currency, chance(0.1) ? pick([1, 2, 3]) : null),
    rabatt_ct: chance(0.03) ? centsIn(customer.currency, 500, ordered) : null,
    fracht_ct: chance(0.2) ? centsIn(customer.currency, between(5, 60) * 100, ordered) : null,
    kz_brutto: 'N',
    netto_ct: totalCents(lines, ({ net }) => net),
    pos_rabatt_ct: totalCents(lines, ({ quantity, price, net }) => quantity * price - net),
    pos_ust_ct: totalCents(lines, ({ tax }) => tax),
    erstattet_ct: refunded || null,
    angnr: quoteOf.get(vknr) ?? null,
    kd_bestnr: chance(0.8) ? `B-${between(10_000, 99_999)}` : null,
    konto: 54_010,
    kst: pick(['2200', '5300']),
    schluessel: chance(0.1) ? pick(['X-PROJ', 'X-OPEX X-ENER']) : null,
    bem: chance(0.1) ? 'Partial deliveries are welcome' : null,
    grund: status === '90' ? pick(['S-DUP', 'S-NOT', 'S-CUST']) : null,
    statustext: null,
    angelegt: compactDay(daysAgo(ordered)),
    changed_at: iso(finished ? ordered - 40 : ordered - 1),
  };
}

/** O open, A authorized, T partly paid, B paid, P partly refunded, S cancelled. */
function paymentOf({ status }: SalesOrder, refunded: number, early: boolean): string {
  if (status === '90') return 'S';
  if (status === '60') return refunded > 0 ? 'P' : 'B';
  if (status === '50') return early ? 'T' : 'O';
  return early && status === '20' ? 'A' : 'O';
}

/** O open, T partly shipped, V shipped, Z delivered, R returned, S cancelled. */
function progressOf({ vknr, status, shipped, lines }: SalesOrder, returned: Returned): string {
  if (status === '90') return 'S';
  if (status === '30' && lines.some((line) => line.shipped > 0)) return 'T';
  if (shipped === null) return 'O';
  const goods = lines.filter(({ kind }) => kind === 'A');
  const isBack = goods.every(({ posnr, quantity }) => returned.get(`${vknr}/${posnr}`)?.quantity === quantity);
  if (isBack) return 'R';
  return isOnItsWay(shipped) ? 'V' : 'Z';
}

/** Transport takes at most four days. */
export function isOnItsWay(shipped: number): boolean {
  return shipped <= 4;
}

function row({ vknr, status, ordered, customer, store }: SalesOrder, line: OrderLine, returned: Returned): SeedRow {
  const { posnr, kind, artid, text, quantity, unit, price, discount, tax, shipped } = line;
  const isHeld = status === '30' && kind === 'A';
  return {
    vknr,
    posnr,
    typ: kind,
    artid,
    variante: posnr === 1 && vknr % 20 === 0 ? `NW${artid}-B` : null,
    text,
    menge: quantity,
    eh: unit,
    preis: price,
    rabatt_proz: discount,
    rabatt_betrag: line.deduction,
    stnr: line.stnr,
    ust: tax,
    platznr: kind === 'A' ? store.platznr : null,
    mg_versand: shipped,
    mg_retour: returned.get(`${vknr}/${posnr}`)?.quantity ?? 0,
    mg_rueckstand: isHeld ? quantity - shipped : 0,
    zusagedat: posnr === 1 && vknr % 3 === 0 ? compactDay(daysAgo(ordered - 12)) : null,
    konto: 54_010,
    kst: customer.number % 4 === 0 ? '2200' : null,
    schluessel: vknr % 25 === 0 ? 'X-OPEX' : null,
    angelegt: compactDay(daysAgo(ordered)),
    changed_at: daysAgo(Math.max(ordered - 1, 0.2)).toISOString(),
  };
}
