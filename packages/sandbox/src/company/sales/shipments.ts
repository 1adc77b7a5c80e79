import { type Random, random } from '../../random.ts';
import type { SeedRow, SeedTable } from '../../row.ts';
import { compactDay, compactTime, daysAgo, daysSince, withComma } from '../../time.ts';
import { people } from '../master/people.ts';
import type { Departure } from '../stock/goods.ts';
import { homeOf } from '../stock/levels.ts';
import { addressColumns } from './lines.ts';
import { type Arrival, arrivals } from './purchases.ts';
import { isOnItsWay, type OrderLine, type SalesOrder, salesOrders, stores } from './sales-orders.ts';

const FIRST = 740_001;
const INBOUND = 40;
const TRANSFERS = 30;

const carriers = ['Northern Freight', 'Hansa Cargo', 'Parcel Express', 'Rail & Road'];
const random_ = random('lieferung');
const packers = people.filter((_, index) => index % 12 === 5).map(({ persnr }) => persnr);

/** A delivery before it has a number. */
interface Draft {
  readonly columns: SeedRow;
  readonly lines: readonly SeedRow[];
  /** How many days ago it left for a customer; null for others. */
  readonly left: number | null;
}

const outward: readonly Draft[] = salesOrders.flatMap((order) => outbound(order, random_));

/** The goods of all shipments to customers that have left. */
export const departures: readonly Departure[] = outward.flatMap(({ columns, lines, left }, index) =>
  lines.flatMap(({ artid, menge }, position): Departure[] => {
    const level = homeOf.get(Number(artid));
    const numbers = { lfnr: FIRST + index, posnr: position + 1, packer: Number(columns.packer) };
    return level && left !== null ? [{ ...numbers, level, quantity: Number(menge), left }] : [];
  }),
);

/** Deliveries of all sales orders, of some purchase orders, and between locations of the company. */
export function shipmentTables(transfers: readonly SeedRow[]): SeedTable[] {
  const drafts = [
    ...outward,
    ...arrivals.slice(0, INBOUND).map((arrival) => inbound(arrival, random_)),
    ...transfers.slice(-TRANSFERS).map((document) => transfer(document, random_)),
  ];
  const heads = drafts.map(({ columns }, index) => ({
    lfnr: FIRST + index,
    belegnr: `SH-${FIRST + index}`,
    ...columns,
  }));
  const lines = drafts.flatMap(({ lines }, index) =>
    lines.map((line, position) => ({ lfnr: FIRST + index, posnr: position + 1, ...line })),
  );
  return [
    { table: 'lieferung', rows: heads },
    { table: 'lieferpos', rows: lines },
  ];
}

/** Shipped quantities in one or two parts, and those being prepared. */
function outbound(order: SalesOrder, random_: Random): Draft[] {
  const { status, ordered, shipped } = order;
  const goods = order.lines.filter(({ kind }) => kind === 'A');
  const gone = goods.filter((line) => line.shipped > 0);
  const whole = (line: OrderLine) => ({ line, quantity: line.shipped });
  if (shipped !== null && gone.length > 1 && random_.chance(0.2))
    return [
      sent(order, gone.slice(0, 1).map(whole), shipped + 1, random_),
      sent(order, gone.slice(1).map(whole), shipped, random_),
    ];
  if (gone.length > 0) return [sent(order, gone.map(whole), shipped ?? ordered - 8, random_)];
  const waiting = goods.map((line) => ({ line, quantity: line.quantity }));
  if (status === '20' && random_.chance(0.4)) return [ready(order, waiting, random_.pick(['E', 'P']), random_)];
  return status === '90' && random_.chance(0.3) ? [ready(order, waiting, 'S', random_)] : [];
}

interface Part {
  readonly line: OrderLine;
  readonly quantity: number;
}

function sent(order: SalesOrder, parts: readonly Part[], days: number, random_: Random): Draft {
  const under = isOnItsWay(days);
  const arrived = days - random_.between(1, 3) - 0.2;
  const travel: SeedRow = {
    status: under ? 'U' : 'Z',
    versandt: compactTime(daysAgo(days)),
    erwartet: compactTime(daysAgo(days - 3)),
    zugestellt: under ? null : daysAgo(arrived).toISOString(),
    empfaenger: under ? null : random_.pick(['H. Baker', 'Goods receipt', 'Gate 2']),
  };
  const columns = { ...out(order, random_), ...travel, ...dated(days) };
  return { columns, lines: linesOf(order, parts, random_), left: days };
}

function ready(order: SalesOrder, parts: readonly Part[], status: string, random_: Random): Draft {
  const travel: SeedRow = { status, versandt: null, erwartet: null, zugestellt: null, empfaenger: null };
  const days = Math.max(order.ordered - 2, 0.5);
  const columns = { ...out(order, random_), ...travel, ...dated(days) };
  return { columns, lines: linesOf(order, parts, random_), left: null };
}

function out({ vknr, customer, store }: SalesOrder, random_: Random): SeedRow {
  const { chance } = random_;
  return {
    ...common(random_),
    richtung: 'A',
    vknr,
    bestnr: null,
    kdnr: customer.number,
    liefnr: null,
    von_platz: store.platznr,
    nach_platz: null,
    ...addressColumns('zi', chance(0.5) ? customer : null),
    waehr: customer.currency,
  };
}

function inbound({ bestnr, liefnr, arrived, lines }: Arrival, random_: Random): Draft {
  const columns: SeedRow = {
    ...common(random_),
    richtung: 'E',
    vknr: null,
    bestnr,
    kdnr: null,
    liefnr,
    von_platz: null,
    nach_platz: random_.pick(stores).platznr,
    ...addressColumns('zi', null),
    waehr: 'EUR',
    ...moved(arrived + 2, arrived),
  };
  return { columns, lines: lines.map((line) => position(line, arrived, random_)), left: null };
}

/** The transfer of an inventory document from one location to another. */
function transfer(document: SeedRow, random_: Random): Draft {
  const days = daysSince(document.gebucht_am);
  const columns: SeedRow = {
    ...common(random_),
    richtung: 'U',
    vknr: null,
    bestnr: null,
    lbnr: document.lbnr ?? null,
    kdnr: null,
    liefnr: null,
    von_platz: document.platz_von ?? null,
    nach_platz: document.platz_nach ?? null,
    ...addressColumns('zi', null),
    waehr: 'EUR',
    ...moved(days + 0.2, days),
  };
  const positions = document.positionen as readonly SeedRow[];
  const lines = positions.map(({ artnr, text, menge, eh }) => {
    const artid = Number(String(artnr).slice('IT-'.length));
    return position({ artid, text: String(text), quantity: Number(menge), unit: String(eh) }, days, random_);
  });
  return { columns, lines, left: null };
}

function common({ between, chance, pick }: Random): SeedRow {
  const carrier = pick(carriers);
  const number = `${between(100_000_000, 999_999_999)}`;
  const weight = between(5, 9_000) / 10;
  return {
    beschr: chance(0.1) ? 'Keep dry' : null,
    lbnr: null,
    frachtf: carrier,
    frachtart: chance(0.3) ? pick(['Express 12:00', 'Standard', 'Pallet']) : null,
    versandart: pick(['Road', 'Parcel', 'Rail']),
    sendnr: number,
    send_url: chance(0.5) ? `https://track.example/${number}` : null,
    pakete: between(1, 12),
    gewicht: withComma(weight),
    gew_eh: 'KG',
    fracht_ct: between(900, 25_000),
    packer: pick(packers),
    bem: chance(0.1) ? 'Call before delivery' : null,
  };
}

function moved(left: number, arrived: number): SeedRow {
  return {
    status: 'Z',
    versandt: compactTime(daysAgo(left)),
    erwartet: compactTime(daysAgo(arrived)),
    zugestellt: daysAgo(arrived).toISOString(),
    empfaenger: 'Goods receipt',
    ...dated(left, arrived),
  };
}

function dated(made: number, changed = made): SeedRow {
  return { angelegt: compactDay(daysAgo(made)), changed_at: daysAgo(Math.max(changed, 0.1)).toISOString() };
}

function linesOf({ vknr, ordered }: SalesOrder, parts: readonly Part[], random_: Random): SeedRow[] {
  return parts.map(({ line: { posnr, artid, text, unit }, quantity }) => ({
    ...position({ artid: artid ?? 0, text, quantity, unit }, Math.max(ordered - 2, 0.5), random_),
    vkpos: `${vknr}/${posnr}`,
  }));
}

interface Goods {
  readonly artid: number;
  readonly text: string;
  readonly quantity: number;
  readonly unit: string;
}

function position({ artid, text, quantity, unit }: Goods, days: number, { between, chance }: Random): SeedRow {
  const first = between(10_000, 90_000);
  const numbers = quantity <= 3 && chance(0.3) ? Array.from({ length: quantity }, (_, n) => `SN-${first + n}`) : [];
  return {
    vkpos: null,
    artid,
    text,
    menge: quantity,
    eh: unit,
    charge: homeOf.get(artid)?.lot ?? null,
    seriennr: numbers,
    paket: String(between(1, 4)),
    ...dated(days),
  };
}
