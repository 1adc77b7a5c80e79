import { type Random, random } from '../../random.ts';
import type { SeedRow, SeedTable } from '../../row.ts';
import { compactDay, daysAgo, dottedDay } from '../../time.ts';
import { articles } from '../master/items.ts';
import { vendors } from '../master/partners.ts';
import { buyers, foremen, technicians } from '../master/people.ts';
import { places } from '../master/places.ts';

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
const stores = places.filter(({ kind }) => kind === 'storeroom' || kind === 'warehouse');
const orderable = vendors.filter(({ blocked }) => !blocked);
const bought = articles.filter(({ kind }) => kind !== 'FERT');

/** 1,500 purchase orders with their lines. */
export function purchaseOrderTables(): SeedTable[] {
  const random_ = random('bestkopf');
  const heads: SeedRow[] = [];
  const positions: SeedRow[] = [];
  for (let index = 0; index < COUNT; index++) {
    const { head, lines } = purchaseOrder(index, random_);
    heads.push(head);
    positions.push(...lines);
  }
  return [
    { table: 'bestkopf', rows: heads },
    { table: 'bestpos', rows: positions },
  ];
}

interface Line {
  readonly row: SeedRow;
  readonly quantity: number;
  readonly received: number;
  readonly net: number;
  readonly tax: number;
}

function purchaseOrder(index: number, random_: Random): { head: SeedRow; lines: SeedRow[] } {
  const { between, chance, pick, weighted } = random_;
  const bestnr = FIRST + index;
  const status = weighted(statuses);
  const vendor = pick(orderable);
  const store = pick(stores);
  const ordered = between(1, age[status]);
  const common = { bestnr, ordered, status, changed: daysAgo(Math.max(ordered - 1, 0.2)).toISOString() };
  const lines = Array.from({ length: between(1, 9) }, (_, position) => line(position + 1, common, random_));
  const sum = (part: (line: Line) => number) => lines.reduce((total, found) => total + part(found), 0);
  const approved = !'EVS'.includes(status);
  const finished = status === 'A' || status === 'S';
  const head: SeedRow = {
    bestnr,
    belegnr: `PO-${1_001 + index}`,
    titel: chance(0.6)
      ? pick(['Fasteners', 'Spare parts', 'Consumables', 'Raw material', 'Services', 'Packaging'])
      : null,
    beschr: null,
    liefnr: vendor.number,
    status,
    mand: store.mand,
    kst: pick(['2000', '2200', '4100', '4200']),
    werknr: store.werknr,
    einkaeufer: pick(buyers),
    anforderer: pick(technicians),
    freigeber: approved ? pick(foremen) : null,
    waehr: vendor.currency,
    kurs: 1,
    bestdat: dottedDay(daysAgo(ordered)),
    wunschdat: dottedDay(daysAgo(ordered - 14)),
    liefdat: approved ? dottedDay(daysAgo(ordered - 16)) : null,
    lieferplatz: store.platznr,
    aufid: chance(0.1) ? 400_010_001 + between(0, 9_999) : null,
    konto: 55_030,
    schluessel: chance(0.2) ? pick(['X-CAPEX', 'X-OPEX', 'X-OPEX X-ENER', 'X-PROJ']) : null,
    zahlbed: pick(['Net 30', 'Net 14', '2 % 10 days, net 30']),
    lieferbed: pick(['DAP', 'EXW', 'FCA', 'DDP']),
    versandart: pick(['Truck', 'Parcel', 'Sea freight']),
    fracht_ct: chance(0.3) ? between(5, 80) * 100 : null,
    netto_ct: Math.round(sum(({ net }) => net) * 100),
    ust_ct: Math.round(sum(({ tax }) => tax) * 100),
    kz_brutto: 'N',
    mg_proz: Math.round((sum(({ received }) => received) / sum(({ quantity }) => quantity)) * 1_000) / 10,
    re_proz: status === 'A' ? 100 : 0,
    freigabe_am: approved ? daysAgo(Math.max(ordered - 1, 0.5)).toISOString() : null,
    erledigt_am: status === 'L' || status === 'A' ? daysAgo(Math.max(ordered - 16, 0.3)).toISOString() : null,
    abschluss_am: finished ? daysAgo(Math.max(ordered - 30, 0.2)).toISOString() : null,
    grund: status === 'S' ? pick(['S-DUP', 'S-NOT', 'S-VEND']) : null,
    zeichen: chance(0.4) ? `RQ-${between(1_000, 9_999)}` : null,
    kopftext: null,
    bem: null,
    angelegt: compactDay(daysAgo(ordered)),
    changed_at: common.changed,
  };
  return { head, lines: lines.map(({ row }) => row) };
}

function line(
  posnr: number,
  {
    bestnr,
    ordered,
    status,
    changed,
  }: { bestnr: number; ordered: number; status: keyof typeof statuses; changed: string },
  { between, chance, pick }: Random,
): Line {
  const article = pick(bought);
  const quantity = between(1, article.cents < 1_000 ? 500 : 12);
  const price = article.cents / 100;
  const discount = chance(0.15) ? pick([2, 3, 5, 10]) : null;
  const received = status === 'T' && posnr > 1 && chance(0.5) ? 0 : Math.ceil(quantity * share[status]);
  const net = Math.round(quantity * price * (1 - (discount ?? 0) / 100) * 100) / 100;
  const tax = Math.round(net * 19) / 100;
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
    rabatt_betrag: null,
    ust: tax,
    status: status === 'A' || status === 'S' ? status : received >= quantity ? 'L' : received > 0 ? 'T' : 'O',
    mg_wareneingang: received,
    mg_abgelehnt: 0,
    mg_rechnung: status === 'A' ? quantity : 0,
    mg_retour: 0,
    wunschdat: dottedDay(daysAgo(ordered - 14)),
    zusagedat: chance(0.5) ? dottedDay(daysAgo(ordered - 16)) : null,
    lieferplatz: chance(0.1) ? pick(stores).platznr : null,
    aufid: chance(0.05) ? 400_010_001 + between(0, 9_999) : null,
    konto: 55_030,
    kst: chance(0.3) ? '4100' : null,
    schluessel: chance(0.05) ? 'X-OPEX' : null,
    bem: chance(0.05) ? 'Same batch if possible' : null,
    angelegt: compactDay(daysAgo(ordered)),
    changed_at: changed,
  };
  return { row, quantity, received, net, tax };
}
