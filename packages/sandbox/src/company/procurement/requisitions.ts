import { random } from '../../random.ts';
import type { SeedRow, SeedTable } from '../../row.ts';
import { compactDay, daysAgo, dottedDay } from '../../time.ts';
import { anyWorkOrder } from '../../work-order-numbers.ts';
import { type Article, articles } from '../master/items.ts';
import { vendors } from '../master/partners.ts';
import { taxOfVendor } from '../master/party-taxes.ts';
import { foremen, technicians } from '../master/people.ts';
import { type Place, places, plantAddress } from '../master/places.ts';
import { taxCents } from '../master/taxes.ts';
import { type PurchaseOrder, purchaseOrders } from '../orders/purchase-orders.ts';

const FIRST = 620_001;
/** Number of the first requisition without an order. */
const FIRST_OPEN = 621_001;
const OPEN = 120;

type Random_ = ReturnType<typeof random>;

/** Data of a requisition that its rows are generated from. */
interface Wish {
  readonly banfnr: number;
  readonly status: string;
  /** Days ago. */
  readonly day: number;
  readonly store: Place;
  readonly requester: number;
  readonly vendor: number | null;
  readonly project: number | null;
  readonly positions: readonly Position[];
}

interface Position {
  readonly article: Article | null;
  readonly quantity: number;
  readonly price: number;
  readonly ordered: number;
  readonly received: number;
}

const stores = places.filter(({ kind }) => kind === 'storeroom' || kind === 'warehouse');
const bought = articles.filter(({ kind }) => kind !== 'FERT');
const services = ['Crane for one day', 'Disposal of old oil', 'Calibration on site', 'Scaffold for two weeks'];

/** Requisitions of purchase orders, and some that are pending, rejected or withdrawn. */
export function requisitionTables(): SeedTable[] {
  const random_ = random('banf');
  const ordered = purchaseOrders.filter(({ related }) => related.banfnr !== null);
  const wishes = [
    ...ordered.map((order) => wishBehind(order, random_)),
    ...Array.from({ length: OPEN }, (_, index) => openWish(FIRST_OPEN + index, random_)),
  ];
  return [
    { table: 'banf', rows: wishes.map((wish) => head(wish, random_)) },
    { table: 'banfpos', rows: wishes.flatMap((wish) => positions(wish, random_)) },
  ];
}

function wishBehind({ related, ordered, store, requester, vendor, lines }: PurchaseOrder, random_: Random_): Wish {
  const positions = lines.map(({ article, quantity, received }): Position => {
    return { article, quantity, price: article.cents / 100, ordered: quantity, received };
  });
  const isPart = random_.chance(0.2);
  return {
    banfnr: related.banfnr ?? FIRST,
    status: isPart ? 'T' : 'B',
    day: ordered + random_.between(2, 12),
    store,
    requester,
    vendor: random_.chance(0.7) ? vendor.number : null,
    project: related.projnr,
    positions: isPart ? [...positions, wanted(random_)] : positions,
  };
}

function openWish(banfnr: number, random_: Random_): Wish {
  const { between, chance, pick, weighted } = random_;
  const status = weighted({ E: 4, V: 6, F: 5, R: 3, S: 2 });
  return {
    banfnr,
    status,
    day: between(1, status === 'R' || status === 'S' ? 500 : 25),
    store: pick(stores),
    requester: pick(technicians),
    vendor: chance(0.5) ? pick(vendors).number : null,
    project: chance(0.1) ? 600_101 + between(0, 59) : null,
    positions: Array.from({ length: between(1, 5) }, () => wanted(random_)),
  };
}

/** A position that has not been ordered. */
function wanted({ between, chance, pick }: Random_): Position {
  if (chance(0.1)) return { article: null, quantity: 1, price: between(80, 900), ordered: 0, received: 0 };
  const article = pick(bought);
  const quantity = between(1, article.cents < 1_000 ? 200 : 6);
  return { article, quantity, price: article.cents / 100, ordered: 0, received: 0 };
}

function head({ banfnr, status, day, store, requester, vendor, project, positions }: Wish, random_: Random_): SeedRow {
  const site = plantAddress(store.werknr);
  const { between, chance, pick, weighted } = random_;
  const net = positions.reduce((sum, { quantity, price }) => sum + Math.round(quantity * price * 100), 0);
  const iso = (when: boolean, days: number) => (when ? daysAgo(Math.max(days, 0.1)).toISOString() : null);
  const isDecided = 'FTBR'.includes(status);
  const hasAddress = chance(0.1);
  return {
    banfnr,
    belegnr: `PR-${1_001 + banfnr - (banfnr < FIRST_OPEN ? FIRST : FIRST_OPEN - 500)}`,
    titel: chance(0.8) ? pick(['Spare parts', 'Consumables', 'Tools', 'Overhaul in January', 'Safety stock']) : null,
    beschr: chance(0.2) ? "Everything on the technicians' list" : null,
    status,
    anforderer: requester,
    freigeber: isDecided ? pick(foremen) : null,
    mand: store.mand,
    kst: pick(['4100', '4200', '3100', '2200']),
    werknr: store.werknr,
    lieferplatz: store.platznr,
    liefnr: vendor,
    bedarf: dottedDay(daysAgo(day - between(14, 40))),
    prio: weighted({ '1': 5, '2': 15, '3': 50, '4': 20, '5': 10 }),
    versandart: chance(0.2) ? 'Truck' : null,
    la_name: hasAddress ? 'Site office' : null,
    la_strasse: hasAddress ? site.street : null,
    la_plz: hasAddress ? site.postalCode : null,
    la_ort: hasAddress ? site.city.name : null,
    la_lkz: hasAddress ? site.city.country : null,
    waehr: 'EUR',
    netto_ct: net,
    ust_ct: taxCents(net, taxOfVendor(store.mand, vendor)),
    aufid: chance(0.2) ? anyWorkOrder({ between }) : null,
    projnr: project,
    konto: 55_030,
    schluessel: chance(0.2) ? pick(['X-OPEX', 'X-CAPEX', 'X-OPEX X-ENER']) : null,
    begr: net > 500_000 || chance(0.2) ? 'Machine is down without them' : null,
    vorgelegt_am: iso(status !== 'E', day - 0.3),
    freigabe_am: iso('FTB'.includes(status), day - 1.2),
    abgelehnt_am: iso(status === 'R', day - 1.4),
    abl_grund: status === 'R' ? pick(['RJ-BUDG', 'RJ-STOCK', 'RJ-SPEC', 'RJ-ALT', 'RJ-NEED']) : null,
    storno_grund: status === 'S' ? pick(['S-DUP', 'S-NOT', 'S-ERR']) : null,
    bem: chance(0.1) ? 'Call before delivery' : null,
    angelegt: compactDay(daysAgo(day)),
    changed_at: daysAgo(Math.max(day - 1.5, 0.1)).toISOString(),
  };
}

function positions({ banfnr, day, positions: list }: Wish, { between, chance, pick }: Random_): SeedRow[] {
  return list.map(({ article, quantity, price, ordered, received }, index) => ({
    banfnr,
    posnr: index + 1,
    artid: article?.artid ?? null,
    text: article?.name ?? pick(services),
    menge: quantity,
    eh: article?.unit ?? 'STK',
    preis: price,
    bedarf: chance(0.5) ? dottedDay(daysAgo(day - between(14, 40))) : null,
    liefnr: chance(0.05) ? pick(vendors).number : null,
    lieferplatz: chance(0.05) ? pick(stores).platznr : null,
    herst_nr: article && chance(0.2) ? `HA-${between(10_000, 99_999)}` : null,
    mg_bestellt: ordered,
    mg_eingang: received,
    aufid: chance(0.05) ? anyWorkOrder({ between }) : null,
    konto: chance(0.5) ? 55_030 : null,
    kst: chance(0.2) ? '4100' : null,
    projnr: chance(0.05) ? 600_101 + between(0, 59) : null,
    schluessel: chance(0.05) ? 'X-OPEX' : null,
    angelegt: compactDay(daysAgo(day)),
    changed_at: daysAgo(Math.max(day - 1.5, 0.1)).toISOString(),
  }));
}
