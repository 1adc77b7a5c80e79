import { random } from '../../random.ts';
import type { SeedRow, SeedTable } from '../../row.ts';
import { compactDay, compactTime, daysAgo } from '../../time.ts';
import { centsIn } from '../ledger/exchange-rates.ts';
import { articles } from '../master/items.ts';
import { vendors } from '../master/partners.ts';
import { taxOfVendor } from '../master/party-taxes.ts';
import { technicians } from '../master/people.ts';
import { type Place, places } from '../master/places.ts';
import { taxCents } from '../master/taxes.ts';
import { type OrderLine, type PurchaseOrder, purchaseOrders } from '../orders/purchase-orders.ts';
import type { Arrival } from '../stock/goods.ts';
import { homeOf } from '../stock/levels.ts';

const FIRST = 640_001;
const UNORDERED = 24;

type Random_ = ReturnType<typeof random>;

/** A receipt or return before its rows are generated. */
interface Delivery {
  readonly status: string;
  readonly vendor: number;
  readonly currency: string;
  readonly bestnr: number | null;
  readonly store: Place;
  /** Days ago. */
  readonly arrived: number;
  readonly isReturn: boolean;
  readonly positions: readonly Position[];
}

interface Position {
  readonly best_pos: string | null;
  readonly artid: number;
  readonly text: string;
  readonly unit: string;
  readonly quantity: number;
  readonly rejected: number;
  readonly price: number;
}

/** A receipt or return with its number. */
type Numbered = Delivery & { readonly wenr: number; readonly receiver: number };

const placeAt = new Map(places.map((place) => [place.platznr, place]));
const stocked = articles.filter(({ kind, artid }) => kind === 'TEIL' && homeOf.has(artid));
const random_ = random('wekopf');
const deliveries: readonly Numbered[] = everyDelivery();

/** Receipts of all goods that arrived for purchase orders, of returned goods, and of goods without an order. */
function everyDelivery(): Numbered[] {
  return [
    ...purchaseOrders.flatMap((order) => deliveriesOf(order, random_)),
    ...Array.from({ length: UNORDERED }, () => unordered(random_)),
  ].map((delivery, index) => ({ ...delivery, wenr: FIRST + index, receiver: random_.pick(technicians) }));
}

/** The goods of all posted receipts and returns. */
export const arrivedGoods: readonly Arrival[] = deliveries
  .filter(({ status }) => status === 'B')
  .flatMap(({ wenr, arrived, receiver, isReturn, positions: list }) =>
    list.flatMap(({ artid, quantity }, index): Arrival[] => {
      const level = homeOf.get(artid);
      const moved = { wenr, posnr: index + 1, code: codeOf(wenr), arrived, receiver };
      return level ? [{ ...moved, level, quantity: isReturn ? -quantity : quantity }] : [];
    }),
  );

function codeOf(wenr: number): string {
  return `GR-${1_001 + wenr - FIRST}`;
}

export function receiptTables(): SeedTable[] {
  return [
    { table: 'wekopf', rows: deliveries.map((delivery) => head(delivery, random_)) },
    { table: 'wepos', rows: deliveries.flatMap((delivery) => positions(delivery, random_)) },
  ];
}

function deliveriesOf(order: PurchaseOrder, { chance }: Random_): Delivery[] {
  const { bestnr, vendor, store, ordered, lines } = order;
  const last = Math.max(ordered - 16, 0.3);
  const base = { status: 'B', vendor: vendor.number, currency: vendor.currency, bestnr, store };
  const arrived = lines.filter(({ received }) => received > 0);
  const refused = lines.filter(({ rejected }) => rejected > 0);
  const isSplit = chance(0.15);
  const first = (line: OrderLine) => (isSplit ? Math.floor((line.received - line.rejected) / 2) : 0);
  const parts = [
    {
      arrived: Math.min(last + 4, (last + ordered) / 2),
      isReturn: false,
      positions: arrived.map((line) => position(bestnr, line, first(line), 0)),
    },
    {
      arrived: last,
      isReturn: false,
      positions: arrived.map((line) => position(bestnr, line, line.received - first(line), line.rejected)),
    },
    {
      arrived: Math.max(last - 3, 0.2),
      isReturn: true,
      positions: refused.map((line) => position(bestnr, line, line.rejected, 0)),
    },
  ];
  return parts
    .map((part) => ({ ...base, ...part, positions: part.positions.filter(({ quantity }) => quantity > 0) }))
    .filter((part) => part.positions.length > 0);
}

function position(bestnr: number, line: OrderLine, quantity: number, rejected: number): Position {
  const { article, price, discount } = line;
  const cost = Math.round(price * (100 - discount) * 100) / 10_000;
  const { artid, name: text, unit } = article;
  return { best_pos: `${bestnr}/${line.posnr}`, artid, text, unit, quantity, rejected, price: cost };
}

function unordered({ between, pick, weighted }: Random_): Delivery {
  const vendor = pick(vendors);
  const { artid, name: text, unit, cents } = pick(stocked);
  const arrived = between(1, 400);
  const price = centsIn(vendor.currency, cents, arrived) / 100;
  const store = placeAt.get(homeOf.get(artid)?.store.platznr ?? 0);
  if (!store) throw new Error(`Item ${artid} is not stocked`);
  return {
    status: weighted({ B: 4, E: 2, S: 1 }),
    vendor: vendor.number,
    currency: vendor.currency,
    bestnr: null,
    store,
    arrived,
    isReturn: false,
    positions: [{ best_pos: null, artid, text, unit, quantity: between(1, 20), rejected: 0, price }],
  };
}

function head(delivery: Numbered, { between, chance, pick }: Random_): SeedRow {
  const { wenr, status, vendor, currency, bestnr, store, arrived, receiver, isReturn } = delivery;
  const net = delivery.positions.reduce((sum, { quantity, price }) => sum + Math.round(quantity * price * 100), 0);
  return {
    wenr,
    belegnr: codeOf(wenr),
    beschr: isReturn ? 'Refused goods' : chance(0.05) ? 'Second part of the delivery' : null,
    status,
    liefnr: vendor,
    bestnr,
    mand: store.mand,
    platznr: store.platznr,
    annehmer: receiver,
    zeit: compactTime(daysAgo(arrived)),
    ls_nr: isReturn ? null : String(between(10_000, 99_999)),
    spediteur: chance(0.6) ? pick(['Northern Freight', 'Parcel Post', 'Own lorry']) : null,
    sendung: chance(0.3) ? `1Z${between(100_000, 999_999)}X${between(1_000, 9_999)}` : null,
    kz_retour: isReturn ? 'J' : 'N',
    waehr: currency,
    netto_ct: net,
    ust_ct: taxCents(net, taxOfVendor(store.mand, vendor)),
    bem: chance(0.03) ? 'One pallet was wet' : null,
    angelegt: compactDay(daysAgo(arrived)),
    changed_at: daysAgo(Math.max(arrived - 0.1, 0.1)).toISOString(),
  };
}

function positions({ wenr, arrived, store, positions: list }: Numbered, { between, chance }: Random_): SeedRow[] {
  return list.map(({ best_pos, artid, text, unit, quantity, rejected, price }, index) => {
    const level = homeOf.get(artid);
    const lot = level?.lot ?? null;
    const isSerial = quantity <= 3 && chance(0.1);
    return {
      wenr,
      posnr: index + 1,
      best_pos,
      artid,
      text,
      menge: quantity,
      mg_gut: quantity - rejected,
      mg_abgelehnt: rejected,
      eh: unit,
      preis: price,
      platznr: chance(0.05) ? store.platznr : null,
      fachnr: index % 4 === 0 ? (level?.bin.fachnr ?? null) : null,
      sperrplatz: rejected > 0 ? store.platznr : null,
      charge: lot,
      seriennr: isSerial ? serials(quantity, between(10_000, 99_000)) : [],
      haltbar: lot ? compactDay(daysAgo(arrived - 730)) : null,
      pruefung: rejected > 0 ? 'Blocked in part' : chance(0.3) ? 'Released' : null,
      bem: chance(0.02) ? 'Box was open' : null,
      angelegt: compactDay(daysAgo(arrived)),
      changed_at: daysAgo(Math.max(arrived - 0.1, 0.1)).toISOString(),
    };
  });
}

function serials(count: number, first: number): string[] {
  return Array.from({ length: count }, (_, index) => `SN-${first + index}`);
}
