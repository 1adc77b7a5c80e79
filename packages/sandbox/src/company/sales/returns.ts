import { type Random, random } from '../../random.ts';
import type { SeedRow, SeedTable } from '../../row.ts';
import { compactDay, daysAgo, dottedDay } from '../../time.ts';
import { type Tax, taxOf } from '../master/taxes.ts';
import { cents, taxOn, totalCents } from './lines.ts';
import { type Arrival, arrivals } from './purchases.ts';
import { type OrderLine, type Returned, type SalesOrder, salesOrders } from './sales-orders.ts';

const CUSTOMERS = 85;
const VENDORS = 35;
const FIRST = 760_001;

const statuses = { E: 10, V: 8, F: 10, U: 10, W: 12, G: 12, A: 30, S: 8 };
type Status = keyof typeof statuses;
/** Statuses in which the goods have been received and inspected. */
const back: readonly Status[] = ['W', 'G', 'A'];

interface Line {
  readonly origin: string;
  readonly artid: number;
  readonly text: string;
  readonly quantity: number;
  readonly unit: string;
  readonly price: number;
}

interface Return {
  readonly status: Status;
  readonly kdnr: number | null;
  readonly liefnr: number | null;
  readonly vknr: number | null;
  readonly bestnr: number | null;
  readonly currency: string;
  readonly tax: Tax;
  /** Days ago. */
  readonly made: number;
  readonly lines: readonly Line[];
}

const returns: readonly Return[] = everyReturn();

/** Goods that customers returned, by "order/position". */
export const returned: Returned = new Map(
  returns
    .filter(({ status, vknr }) => vknr !== null && back.includes(status))
    .flatMap(({ status, lines, tax }) =>
      lines.map(({ origin, quantity, price }) => {
        const net = cents(quantity * price) / 100;
        const credited = status === 'W' ? 0 : cents(net + taxOn(net, tax));
        return [origin, { quantity, credited }] as const;
      }),
    ),
);

function everyReturn(): Return[] {
  const random_ = random('retoure');
  const delivered = salesOrders.filter(({ status, shipped }) => status === '60' && (shipped ?? 0) > 20);
  return [
    ...delivered.slice(0, CUSTOMERS).map((order) => fromCustomer(order, random_)),
    ...arrivals.slice(-VENDORS).map((arrival) => toVendor(arrival, random_)),
  ];
}

function fromCustomer(
  { vknr, customer, store, shipped, lines }: SalesOrder,
  { between, chance, weighted }: Random,
): Return {
  const goods = lines.filter(({ kind }) => kind === 'A').slice(0, chance(0.7) ? 1 : 2);
  const part = ({ posnr, artid, text, quantity, unit, price }: OrderLine): Line => ({
    origin: `${vknr}/${posnr}`,
    artid: artid ?? 0,
    text,
    quantity: chance(0.2) ? quantity : between(1, Math.ceil(quantity / 2)),
    unit,
    price,
  });
  const status = weighted(statuses);
  const sent = shipped ?? 0;
  const made = 'EVFU'.includes(status) ? between(1, Math.min(12, sent - 5)) : sent - between(5, 10);
  return {
    status,
    kdnr: customer.number,
    liefnr: null,
    vknr,
    bestnr: null,
    currency: customer.currency,
    tax: taxOf('D', store.mand, customer),
    made,
    lines: goods.map(part),
  };
}

function toVendor(
  { bestnr, liefnr, tax, currency, arrived, lines }: Arrival,
  { between, chance, weighted }: Random,
): Return {
  const goods = lines.slice(0, chance(0.7) ? 1 : 2);
  return {
    status: weighted({ E: 3, V: 3, F: 4, S: 1 }),
    kdnr: null,
    liefnr,
    vknr: null,
    bestnr,
    currency,
    tax,
    made: Math.max(arrived - between(1, 4), 0.5),
    lines: goods.map(({ posnr, quantity, ...line }) => ({
      ...line,
      origin: `${bestnr}/${posnr}`,
      quantity: between(1, Math.ceil(quantity / 2)),
    })),
  };
}

/** 85 returns from customers and 35 to vendors. */
export function returnTables(): SeedTable[] {
  const random_ = random('retoure-data');
  return [
    { table: 'retoure', rows: returns.map((found, index) => head(found, FIRST + index, random_)) },
    {
      table: 'retpos',
      rows: returns.flatMap((found, index) => found.lines.map((_, at) => row(found, FIRST + index, at, random_))),
    },
  ];
}

function head(found: Return, retnr: number, { chance, pick }: Random): SeedRow {
  const { status, kdnr, liefnr, vknr, bestnr, currency, tax, made, lines } = found;
  const approved = !'EVS'.includes(status);
  const iso = (days: number) => daysAgo(Math.max(days, 0.2)).toISOString();
  return {
    retnr,
    belegnr: `RT-${retnr}`,
    beschr: chance(0.3) ? 'Box was wet on arrival' : null,
    art: kdnr === null ? 'L' : 'K',
    kdnr,
    liefnr,
    vknr,
    bestnr,
    grund: pick(reasons),
    status,
    retdat: dottedDay(daysAgo(made)),
    faellig: compactDay(daysAgo(made - 14)),
    freigabe: approved ? iso(made - 0.5) : null,
    erledigt: back.includes(status) ? iso(made - 4) : null,
    versandart: pick(['Parcel', 'Road']),
    waehr: currency,
    netto_ct: totalCents(lines, net),
    ust_ct: totalCents(lines, (line) => taxOn(net(line), tax)),
    bem: chance(0.1) ? 'Photos are with the quality department' : null,
    ...dated(made),
  };
}

const reasons = ['RG-DAM', 'RG-DEF', 'RG-WRONG', 'RG-MORE', 'RG-LATE', 'RG-MIND'];

function row({ status, kdnr, made, lines }: Return, retnr: number, at: number, { chance, pick }: Random): SeedRow {
  const { origin, artid, text, quantity, unit, price } = lines[at] as Line;
  return {
    retnr,
    posnr: at + 1,
    bezug_art: kdnr === null ? 'B' : 'V',
    bezug_pos: origin,
    artid,
    text,
    menge: quantity,
    mg_eingang: back.includes(status) ? quantity : 0,
    eh: unit,
    preis: price,
    grund: at > 0 ? pick(reasons) : null,
    zustand: chance(0.5) ? pick(['Rusty', 'Box opened', 'As new', 'Broken']) : null,
    verwendung: pick(['R', 'I', 'V', 'E']),
    charge: chance(0.3) ? 'L-2611' : null,
    seriennr: chance(0.1) ? [`SN-${retnr}`, `SN-${retnr + 1_000}`] : [],
    ...dated(made),
  };
}

function net({ quantity, price }: Line): number {
  return cents(quantity * price) / 100;
}

function dated(made: number): SeedRow {
  return { angelegt: compactDay(daysAgo(made)), changed_at: daysAgo(Math.max(made - 4, 0.1)).toISOString() };
}
