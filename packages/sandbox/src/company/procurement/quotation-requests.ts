import { type Random, random } from '../../random.ts';
import type { SeedRow, SeedTable } from '../../row.ts';
import { compactDay, daysAgo, dottedDay } from '../../time.ts';
import { articles } from '../master/items.ts';
import { type TradingRecord, vendors } from '../master/partners.ts';
import { taxOfVendor } from '../master/party-taxes.ts';
import { buyers } from '../master/people.ts';
import { type OwnAddress, type Place, places, plantAddress } from '../master/places.ts';
import { taxCents } from '../master/taxes.ts';
import { type PurchaseOrder, purchaseOrders } from '../orders/purchase-orders.ts';
import { type Offer, offerRows, offers, type Wanted } from './offers.ts';

const FIRST = 630_001;
const COUNT = 90;
const FIRST_QUOTE = 725_001;
/** Vendors responded to one in this many requests with quotes, and to the others by telephone or mail. */
const QUOTED = 3;

const stores = places.filter(({ kind }) => kind === 'warehouse');
const requisitions = purchaseOrders.flatMap(({ related: { banfnr } }) => banfnr ?? []);
const bought = articles.filter(({ kind }) => kind !== 'FERT');

const requests = quotationRequests();

/** 90 requests for quotation; the first 60 led to a purchase order. */
export function quotationRequestTable(): SeedTable {
  return { table: 'anfrage', rows: requests.map(({ row }) => row) };
}

/** Offers that vendors sent as quotes, with the number of the request. */
export const quotedOffers = requests.flatMap(({ row: { anfnr }, offered }) =>
  offered.flatMap((offer) => (offer.angnr === null ? [] : [{ ...offer, angnr: offer.angnr, anfnr: Number(anfnr) }])),
);

/** A request and the offers for it. */
interface QuotationRequest {
  readonly row: SeedRow;
  readonly offered: readonly Offer[];
}

function quotationRequests(): readonly QuotationRequest[] {
  const random_ = random('anfrage');
  const awarded = new Map(purchaseOrders.map((order) => [order.related.anfnr, order]));
  let quotes = 0;
  return Array.from({ length: COUNT }, (_, index) => {
    const order = awarded.get(FIRST + index);
    const nextQuote = () => (index % QUOTED === 0 ? FIRST_QUOTE + quotes++ : null);
    return quotationRequest(index, order, { random_, nextQuote });
  });
}

/** The subject of a request, the vendors that it invites, and the one that it was awarded to, if any. */
interface Request {
  readonly status: string;
  /** Days ago. */
  readonly issued: number;
  readonly invited: readonly TradingRecord[];
  readonly winner: TradingRecord | null;
  readonly store: Place;
  readonly lines: readonly Wanted[];
}

function quotationRequest(
  index: number,
  order: PurchaseOrder | undefined,
  { random_, nextQuote }: { random_: Random; nextQuote: () => number | null },
): QuotationRequest {
  const request = requestFor(order, random_);
  const { status, issued, invited, winner, lines } = request;
  const isAnswered = 'OZA'.includes(status);
  const offered = isAnswered ? offers(lines, { vendors: invited, winner, issued }, nextQuote) : [];
  return { row: requestRow(index, request, { order, offered, random_ }), offered };
}

function requestFor(order: PurchaseOrder | undefined, random_: Random): Request {
  const { between, pick, weighted } = random_;
  const status = order ? 'Z' : weighted({ E: 3, G: 4, O: 3, A: 2, S: 1 });
  const issued = order ? order.ordered + between(15, 40) : between(1, status === 'A' || status === 'S' ? 600 : 20);
  const invited = new Set<TradingRecord>([...(order ? [order.vendor] : []), ...[1, 2, 3].map(() => pick(vendors))]);
  const store = order?.store ?? pick(stores);
  const lines = order
    ? order.lines.map(({ article, quantity, price }) => ({
        article,
        quantity,
        price: article.cents / 100,
        ordered: price,
      }))
    : Array.from({ length: between(1, 5) }, () => something(random_));
  return { status, issued, invited: [...invited], winner: order?.vendor ?? null, store, lines };
}

/** Documents and offers that belong to a request. */
interface Context {
  readonly order: PurchaseOrder | undefined;
  readonly offered: readonly Offer[];
  readonly random_: Random;
}

function requestRow(
  index: number,
  { status, issued, invited, store, lines }: Request,
  { order, offered, random_ }: Context,
): SeedRow {
  const { chance, pick } = random_;
  const positions = lines.map((line, position) => requestedLine(line, position + 1, issued, random_));
  const net = positions.reduce(
    (sum, { menge, zielpreis }) => sum + Math.round(Number(menge) * Number(zielpreis ?? 0) * 100),
    0,
  );
  return {
    anfnr: FIRST + index,
    belegnr: `RFQ-${1_001 + index}`,
    titel: `${pick(['Parts', 'Services', 'Material', 'Tools'])} for ${pick(['spring', 'the first half-year', 'stock', 'the new line'])}`,
    beschr: chance(0.3) ? 'Please quote with and without assembly' : null,
    status,
    lieferanten: invited.map(({ number }) => number).join(' '),
    mand: store.mand,
    werknr: store.werknr,
    banfnr: order?.related.banfnr ?? (chance(0.3) ? pick(requisitions) : null),
    projnr: order?.related.projnr ?? null,
    einkaeufer: order?.buyer ?? pick(buyers),
    waehr: 'EUR',
    anfdat: compactDay(daysAgo(issued)),
    frist: compactDay(daysAgo(issued - 14)),
    versandart: chance(0.5) ? pick(['Truck', 'Parcel']) : null,
    ...deliveryAddress(chance(0.3) ? plantAddress(store.werknr) : null),
    positionen: positions,
    angebote: offerRows(offered),
    netto_ct: net,
    ust_ct: taxCents(net, taxOfVendor(store.mand, null)),
    bem: chance(0.2) ? 'One vendor requested more time' : null,
    angelegt: compactDay(daysAgo(issued)),
    changed_at: daysAgo(Math.max(issued - 5, 0.1)).toISOString(),
  };
}

function requestedLine({ article, quantity, price }: Wanted, pos: number, issued: number, { chance }: Random): SeedRow {
  return {
    pos,
    artnr: `IT-${article.artid}`,
    text: article.name,
    menge: quantity,
    eh: article.unit,
    bedarf: dottedDay(daysAgo(issued - 45)),
    zielpreis: chance(0.8) ? price : null,
  };
}

function deliveryAddress(site: OwnAddress | null): SeedRow {
  return {
    la_name: site ? 'Northwind Works GmbH' : null,
    la_strasse: site?.street ?? null,
    la_plz: site?.postalCode ?? null,
    la_ort: site?.city.name ?? null,
    la_lkz: site?.city.country ?? null,
  };
}

function something({ between, pick }: Random): Wanted {
  const article = pick(bought);
  return { article, quantity: between(10, 2_000), price: article.cents / 100, ordered: null };
}
