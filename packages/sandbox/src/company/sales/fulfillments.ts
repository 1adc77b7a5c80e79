import { type Random, random } from '../../random.ts';
import type { SeedRow, SeedTable } from '../../row.ts';
import { compactDay, daysAgo, dottedDay, dottedFrom } from '../../time.ts';
import { vendors } from '../master/partners.ts';
import { places } from '../master/places.ts';
import { addressColumns } from './lines.ts';
import { type SalesOrder, salesOrders } from './sales-orders.ts';

const FIRST = 750_001;

/** Fulfillments of confirmed orders, and of those shipped in the last three months. */
export function fulfillmentTable(transfers: readonly SeedRow[]): SeedTable {
  const random_ = random('komm');
  const orders = salesOrders.filter(
    ({ status, lines, ordered }) =>
      status >= '20' && status < '90' && ordered < 90 && lines.some(({ kind }) => kind === 'A'),
  );
  const rows = orders.map((order, index) => row(order, FIRST + index, random_));
  return {
    table: 'komm',
    rows: [...rows, ...transfers.map((document, index) => replenishment(document, FIRST + rows.length + index))],
  };
}

function row(order: SalesOrder, kommnr: number, random_: Random): SeedRow {
  const { vknr, code, status, customer, ordered, shipped, store } = order;
  const { chance, pick } = random_;
  const vendor = vendorOf(kommnr);
  const state = status === '20' ? pick(['O', 'O', 'K', 'P', 'S']) : status === '30' ? 'V' : 'F';
  const days = ordered - 2;
  const done = state === 'F' ? (shipped ?? 1) : null;
  return {
    kommnr,
    belegnr: `FU-${kommnr}`,
    titel: `${status === '30' ? 'First part of' : 'Order'} ${code}`,
    beschr: chance(0.2) ? 'Pack in the order of the lines' : null,
    vknr,
    lbnr: null,
    kdnr: customer.number,
    liefnr: vendor,
    werknr: vendor === null ? store.werknr : null,
    status: state,
    kommdat: dottedDay(daysAgo(days)),
    ...addressColumns('li', chance(0.3) ? customer : null),
    erledigt: done === null ? null : daysAgo(done).toISOString(),
    positionen: positions(order, random_),
    bem: chance(0.1) ? 'Customer collects' : null,
    angelegt: compactDay(daysAgo(ordered)),
    changed_at: daysAgo(Math.max(done ?? days, 0.1)).toISOString(),
  };
}

/** Some orders are shipped directly by a vendor. */
const vendorOf = (kommnr: number) => (kommnr % 40 === 0 ? (vendors[kommnr % vendors.length]?.number ?? null) : null);

/** Fulfillments of transfers to another location of the company. */
function replenishment(document: SeedRow, kommnr: number): SeedRow {
  const { lbnr, belegnr, platz_von, positionen, angelegt, changed_at } = document;
  const place = places.find(({ platznr }) => platznr === platz_von);
  return {
    kommnr,
    belegnr: `FU-${kommnr}`,
    titel: `Replenishment ${belegnr}`,
    beschr: null,
    vknr: null,
    lbnr: lbnr ?? null,
    kdnr: null,
    liefnr: null,
    werknr: place?.werknr ?? null,
    status: document.status === 'A' ? 'K' : 'O',
    kommdat: dottedFrom(angelegt),
    ...addressColumns('li', null),
    erledigt: null,
    positionen: (positionen as readonly SeedRow[]).map(
      ({ artnr, text, menge, eh, charge }) => ({ vkpos: null, artnr, text, menge, eh, charge }) as SeedRow,
    ),
    bem: null,
    angelegt: angelegt ?? null,
    changed_at: changed_at ?? null,
  };
}

function positions({ vknr, status, lines }: SalesOrder, { between, chance }: Random): SeedRow[] {
  return lines
    .filter(({ kind, shipped }) => kind === 'A' && (status === '20' || shipped > 0))
    .map(({ posnr, artid, text, quantity, unit, shipped }) => ({
      vkpos: `${vknr}/${posnr}`,
      artnr: `IT-${artid}`,
      text,
      menge: status === '20' ? quantity : shipped,
      eh: unit,
      charge: chance(0.3) ? `L-${between(2_000, 2_699)}` : null,
    }));
}
