import { type Trade, tradeOf } from '../../data/trades.ts';
import { type Random, random } from '../../random.ts';
import type { SeedRow, SeedTable } from '../../row.ts';
import { compactDay, daysAgo, dottedDay, isoDay } from '../../time.ts';
import { anyWorkOrder } from '../../work-order-numbers.ts';
import { centsIn, percentIn } from '../ledger/exchange-rates.ts';
import { type Article, articles } from '../master/items.ts';
import { type TradingRecord, vendors } from '../master/partners.ts';
import { buyers, foremen, technicians } from '../master/people.ts';
import { type Place, places } from '../master/places.ts';
import { type Tax, taxCents, taxOf } from '../master/taxes.ts';
import { mainContactOf } from '../people/contacts.ts';
import { homeOf } from '../stock/levels.ts';

const COUNT = 1_500;
const FIRST = 4_500_001_001;

const statuses = { E: 5, V: 4, F: 10, G: 10, T: 10, L: 15, A: 42, S: 4 };
const age: Readonly<Record<keyof typeof statuses, number>> = {
  E: 7,
  V: 10,
  F: 30,
  G: 45,
  T: 60,
  L: 90,
  A: 1_200,
  S: 700,
};
const share: Readonly<Record<keyof typeof statuses, number>> = { E: 0, V: 0, F: 0, G: 0, T: 0.5, L: 1, A: 1, S: 0 };
/** Related documents of orders: one in `every` orders has such a document, numbered from `first`. */
const RELATED = {
  banfnr: { every: 8, first: 620_001 },
  projnr: { every: 9, first: 600_101 },
  vtrnr: { every: 20, first: 610_101 },
  anfnr: { every: 25, first: 630_001 },
} as const;
const PROJECTS = 60;
/** Orders without follow-up documents. */
const isOpen = (status: keyof typeof statuses) => 'EVFG'.includes(status);
const carriers = ['Northern Freight', 'Hansa Cargo', 'Parcel Express'];
const stores = places.filter(({ kind }) => kind === 'storeroom' || kind === 'warehouse');
const orderable = vendors.filter(({ blocked }) => !blocked);
const bought = Map.groupBy(
  articles.filter(({ kind, artid, template }) => kind !== 'FERT' && template !== artid),
  ({ group }) => tradeOf[group],
);
/** Items that are bought from a vendor; for carriers, services at the plants. */
export const boughtFrom = ({ trade }: TradingRecord) => bought.get(trade) ?? bought.get('services') ?? [];
/** The store in which an item is kept; undefined for services. */
const storeOf = ({ artid }: Article) => stores.find(({ platznr }) => platznr === homeOf.get(artid)?.store.platznr);
const titles: Readonly<Partial<Record<Trade, string>>> = {
  metal: 'Raw material',
  packaging: 'Packaging',
  safety: 'Consumables',
  lubricants: 'Consumables',
  tools: 'Tools',
  fasteners: 'Fasteners',
  services: 'Services',
  transport: 'Services',
};

/** The fields of an order that other tables need. */
export interface PurchaseOrder {
  readonly bestnr: number;
  readonly status: keyof typeof statuses;
  readonly vendor: TradingRecord;
  readonly store: Place;
  /** Days ago. */
  readonly ordered: number;
  readonly requester: number;
  readonly buyer: number;
  readonly net: number;
  readonly lines: readonly OrderLine[];
  readonly related: Readonly<Record<keyof typeof RELATED, number | null>>;
  readonly row: SeedRow;
}

export interface OrderLine {
  readonly posnr: number;
  readonly article: Article;
  readonly quantity: number;
  readonly price: number;
  readonly discount: number;
  readonly received: number;
  readonly rejected: number;
  readonly net: number;
  readonly tax: number;
  readonly row: SeedRow;
}

/** 1,500 purchase orders. */
export const purchaseOrders: readonly PurchaseOrder[] = everyOrder();

function everyOrder(): PurchaseOrder[] {
  const choices = { random_: random('bestkopf'), refusals: random('bestpos-refusals') };
  return Array.from({ length: COUNT }, (_, index) => purchaseOrder(index, choices));
}

export function purchaseOrderTables(): SeedTable[] {
  return [
    { table: 'bestkopf', rows: purchaseOrders.map(({ row }) => row) },
    { table: 'bestpos', rows: purchaseOrders.flatMap(({ lines }) => lines.map(({ row }) => row)) },
  ];
}

/** Terms of the whole order. A vendor deducts a fixed amount only from an order of at least ten times as much. */
function discountOf(index: number, { status, vendor, ordered }: Common, netCents: number): SeedRow {
  const isAgreed = isOpen(status) && index % 7 === 1;
  const cents = centsIn(vendor.currency, 1_500, ordered);
  return {
    rabatt_proz: isAgreed && index % 2 === 0 ? percentIn(vendor.currency, 2) : null,
    rabatt_ct: isAgreed && index % 2 === 1 && netCents >= 10 * cents ? cents : null,
  };
}

/** Address of the company that pays, if it differs from the one that orders. */
function billing(isElsewhere: boolean): SeedRow {
  if (!isElsewhere) return { re_name: null, re_strasse: null, re_plz: null, re_ort: null, re_lkz: null };
  return {
    re_name: 'Northwind Holding AG',
    re_strasse: 'Hafenstr. 4',
    re_plz: '20457',
    re_ort: 'Hamburg',
    re_lkz: 'DE',
  };
}

/** Numbers of the documents that an order is based on. Withdrawn orders have none. */
function relatedTo(index: number, status: keyof typeof statuses): PurchaseOrder['related'] {
  const number = (kind: keyof typeof RELATED) => {
    const { every, first } = RELATED[kind];
    const rank = Math.floor(index / every);
    return index % every === every - 2 && status !== 'S' ? first + (kind === 'projnr' ? rank % PROJECTS : rank) : null;
  };
  return { banfnr: number('banfnr'), projnr: number('projnr'), vtrnr: number('vtrnr'), anfnr: number('anfnr') };
}

/** The data that the lines of an order share with its head. */
type Common = Pick<PurchaseOrder, 'bestnr' | 'store' | 'vendor' | 'ordered' | 'status' | 'related'> & {
  readonly changed: string;
  readonly rate: Tax;
};

interface Choices {
  readonly random_: Random;
  readonly refusals: Random;
}

function purchaseOrder(index: number, choices: Choices): PurchaseOrder {
  const { between, chance, pick, weighted } = choices.random_;
  const bestnr = FIRST + index;
  const status = weighted(statuses);
  const vendor = pick(orderable);
  const goods = boughtFrom(vendor);
  const store = storeOf(pick(goods)) ?? pick(stores);
  const kept = goods.filter((article) => (storeOf(article) ?? store) === store);
  const ordered = between(1, age[status]);
  const related = relatedTo(index, status);
  const common: Common = {
    bestnr,
    ordered,
    status,
    related,
    store,
    vendor,
    rate: taxOf('K', store.mand, vendor),
    changed: daysAgo(Math.max(ordered - 1, 0.2)).toISOString(),
  };
  const wanted = new Set(Array.from({ length: between(1, 9) }, () => pick(kept)));
  const lines = [...wanted].map((article, index) => line(index + 1, article, common, choices));
  const sum = (part: (line: OrderLine) => number) => lines.reduce((total, found) => total + part(found), 0);
  const netCents = Math.round(sum(({ net }) => net) * 100);
  const approved = !'EVS'.includes(status);
  const finished = status === 'A' || status === 'S';
  const row: SeedRow = {
    bestnr,
    belegnr: `PO-${1_001 + index}`,
    titel: chance(0.6) ? (titles[vendor.trade] ?? 'Spare parts') : null,
    beschr: index % 10 === 3 ? 'Call-off of the framework agreement' : null,
    liefnr: vendor.number,
    kontnr: mainContactOf('L', vendor.number),
    status,
    mand: store.mand,
    kst: pick(['2000', '2200', '4100', '4200']),
    werknr: store.werknr,
    einkaeufer: pick(buyers),
    anforderer: pick(technicians),
    freigeber: approved ? pick(foremen) : null,
    waehr: vendor.currency,
    bestdat: dottedDay(daysAgo(ordered)),
    wunschdat: dottedDay(daysAgo(ordered - 14)),
    liefdat: approved ? dottedDay(daysAgo(ordered - 16)) : null,
    lieferplatz: store.platznr,
    aufid: chance(0.1) ? anyWorkOrder({ between }) : null,
    konto: 55_030,
    schluessel: chance(0.2) ? pick(['X-CAPEX', 'X-OPEX', 'X-OPEX X-ENER', 'X-PROJ']) : null,
    zahlbed: pick(['Net 30', 'Net 14', '2 % 10 days, net 30']),
    lieferbed: pick(['DAP', 'EXW', 'FCA', 'DDP']),
    versandart: pick(['Truck', 'Parcel', 'Sea freight']),
    spediteur: index % 3 === 0 ? (carriers[index % carriers.length] ?? null) : null,
    ...billing(index % 15 === 2),
    ...discountOf(index, common, netCents),
    fracht_ct: chance(0.3) ? centsIn(vendor.currency, between(5, 80) * 100, ordered) : null,
    netto_ct: netCents,
    pos_ust_ct: Math.round(sum(({ tax }) => tax) * 100),
    kz_brutto: 'N',
    freigabe_am: approved ? daysAgo(Math.max(ordered - 1, 0.5)).toISOString() : null,
    erledigt_am: status === 'L' || status === 'A' ? daysAgo(Math.max(ordered - 16, 0.3)).toISOString() : null,
    abschluss_am: finished ? daysAgo(Math.max(ordered - 30, 0.2)).toISOString() : null,
    grund: status === 'S' ? pick(['S-DUP', 'S-NOT', 'S-VEND']) : null,
    zeichen: chance(0.4) ? `RQ-${between(1_000, 9_999)}` : null,
    kopftext: index % 6 === 1 ? 'Please confirm within two days' : null,
    bem: index % 20 === 5 ? 'First ordered by phone' : null,
    angelegt: compactDay(daysAgo(ordered)),
    changed_at: common.changed,
    ...related,
  };
  const people = { requester: Number(row.anforderer), buyer: Number(row.einkaeufer) };
  return { bestnr, status, vendor, store, ordered, ...people, net: netCents / 100, lines, related, row };
}

function line(
  posnr: number,
  article: Article,
  { bestnr, store, vendor: { currency }, ordered, status, related, changed, rate }: Common,
  { random_: { between, chance, pick }, refusals }: Choices,
): OrderLine {
  const drawn = between(1, article.cents < 1_000 ? 500 : 12);
  // An order of a single piece cannot be delivered in part.
  const quantity = status === 'T' && posnr === 1 ? Math.max(drawn, 2) : drawn;
  const cents = centsIn(currency, article.cents, ordered);
  const price = cents / 100;
  const discount = percentIn(currency, chance(0.15) ? pick([2, 3, 5, 10]) : null);
  const received = status === 'T' && posnr > 1 && chance(0.5) ? 0 : Math.ceil(quantity * share[status]);
  const rejected = received >= 10 && refusals.chance(0.04) ? refusals.between(1, 3) : 0;
  const gross = Math.round((quantity * cents * (100 - (discount ?? 0))) / 100) / 100;
  const deduction = posnr === 2 && isOpen(status) && gross > 100 ? centsIn(currency, 500, ordered) / 100 : null;
  const net = Math.round((gross - (deduction ?? 0)) * 100) / 100;
  const tax = taxCents(Math.round(net * 100), rate) / 100;
  const row: SeedRow = {
    bestnr,
    posnr,
    typ: article.kind === 'DIEN' ? 'D' : 'A',
    artid: article.artid,
    text: article.name,
    lief_artnr: chance(0.3) ? `${pick(['AC', 'BX', 'QR'])}-${between(10_000, 99_999)}` : null,
    menge: quantity,
    eh: article.unit,
    preis: price,
    rabatt_proz: discount,
    rabatt_betrag: deduction,
    stnr: rate.stnr,
    ust: tax,
    status: status === 'A' || status === 'S' ? status : received >= quantity ? 'L' : received > 0 ? 'T' : 'O',
    mg_wareneingang: received,
    mg_abgelehnt: rejected,
    mg_retour: rejected,
    wunschdat: dottedDay(daysAgo(ordered - 14)),
    zusagedat: chance(0.5) ? dottedDay(daysAgo(ordered - 16)) : null,
    lieferplatz: chance(0.1) ? store.platznr : null,
    aufid: chance(0.05) ? anyWorkOrder({ between }) : null,
    konto: 55_030,
    kst: chance(0.3) ? '4100' : null,
    schluessel: chance(0.05) ? 'X-OPEX' : null,
    bem: chance(0.05) ? 'Same batch if possible' : null,
    projnr: related.projnr,
    banf_pos: related.banfnr === null ? null : `${related.banfnr}/${posnr}`,
    zeugnis: [null, '2.2', '3.1'][bestnr % 3] ?? null,
    muster: posnr % 4 === 1 ? (bestnr % 3) + 1 : null,
    geprueft_am: received > 0 && posnr % 2 === 1 ? isoDay(daysAgo(Math.max(ordered - 17, 0.2))) : null,
    angelegt: compactDay(daysAgo(ordered)),
    changed_at: changed,
  };
  return { posnr, article, quantity, price, discount: discount ?? 0, received, rejected, net, tax, row };
}
