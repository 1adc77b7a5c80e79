import { random } from '../../random.ts';
import type { SeedRow, SeedTable } from '../../row.ts';
import { compactDay, daysAgo, dottedDay } from '../../time.ts';
import { type Article, articles } from '../master/items.ts';
import { type TradingRecord, vendors } from '../master/partners.ts';
import { buyers } from '../master/people.ts';
import { type Place, places, plantAddress } from '../master/places.ts';
import { type PurchaseOrder, purchaseOrders } from '../orders/purchase-orders.ts';
import { type Offer, offerRows, offers } from './offers.ts';

const FIRST = 630_001;
const COUNT = 90;
const FIRST_QUOTE = 725_001;
/** Vendors responded with quotes to one in this many requests, and to the others by telephone or mail. */
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

function quotationRequest(
  index: number,
  order: PurchaseOrder | undefined,
  { random_, nextQuote }: { random_: ReturnType<typeof random>; nextQuote: () => number | null },
): QuotationRequest {
  const { between, chance, pick, weighted } = random_;
  const status = order ? 'Z' : weighted({ E: 3, G: 4, O: 3, A: 2, S: 1 });
  const issued = order ? order.ordered + between(15, 40) : between(1, status === 'A' || status === 'S' ? 600 : 20);
  const asked = new Set<TradingRecord>([...(order ? [order.vendor] : []), ...[1, 2, 3].map(() => pick(vendors))]);
  const store: Place = order?.store ?? pick(stores);
  const site = plantAddress(store.werknr);
  const wanted = order?.lines ?? Array.from({ length: between(1, 5) }, () => something(random_));
  const list = wanted.map(({ article, quantity, price }, position) => ({
    pos: position + 1,
    artnr: `IT-${article.artid}`,
    text: article.name,
    menge: quantity,
    eh: article.unit,
    bedarf: dottedDay(daysAgo(issued - 45)),
    zielpreis: chance(0.8) ? price : null,
  }));
  const offered = 'OZA'.includes(status)
    ? offers(wanted, { vendors: [...asked], winner: order?.vendor ?? null, issued }, nextQuote)
    : [];
  const net = list.reduce((sum, { menge, zielpreis }) => sum + Math.round(menge * (zielpreis ?? 0) * 100), 0);
  const row: SeedRow = {
    anfnr: FIRST + index,
    belegnr: `RFQ-${1_001 + index}`,
    titel: `${pick(['Parts', 'Services', 'Material', 'Tools'])} for ${pick(['spring', 'the first half-year', 'stock', 'the new line'])}`,
    beschr: chance(0.3) ? 'Please quote with and without assembly' : null,
    status,
    lieferanten: [...asked].map(({ number }) => number).join(' '),
    mand: store.mand,
    werknr: store.werknr,
    banfnr: order?.related.banfnr ?? (chance(0.3) ? pick(requisitions) : null),
    projnr: order?.related.projnr ?? null,
    einkaeufer: order?.buyer ?? pick(buyers),
    waehr: 'EUR',
    anfdat: compactDay(daysAgo(issued)),
    frist: compactDay(daysAgo(issued - 14)),
    versandart: chance(0.5) ? pick(['Truck', 'Parcel']) : null,
    la_name: chance(0.3) ? 'Northwind Works GmbH' : null,
    la_strasse: chance(0.3) ? site.street : null,
    la_plz: chance(0.3) ? site.postalCode : null,
    la_ort: chance(0.3) ? site.city.name : null,
    la_lkz: chance(0.3) ? site.city.country : null,
    positionen: list,
    angebote: offerRows(offered),
    netto_ct: net,
    ust_ct: Math.round(net * 0.19),
    bem: chance(0.2) ? 'One vendor requested more time' : null,
    angelegt: compactDay(daysAgo(issued)),
    changed_at: daysAgo(Math.max(issued - 5, 0.1)).toISOString(),
  };
  return { row, offered };
}

function something({ between, pick }: ReturnType<typeof random>): {
  article: Article;
  quantity: number;
  price: number;
} {
  const article = pick(bought);
  return { article, quantity: between(10, 2_000), price: article.cents / 100 };
}
