import { type Random, random } from '../../random.ts';
import { isRecent } from '../../recent-work-orders.ts';
import type { SeedRow, SeedTable } from '../../row.ts';
import { compactDay, daysAgo, dottedDay, dottedFrom } from '../../time.ts';
import { articles } from '../master/items.ts';
import type { Bill } from './bills-of-material.ts';
import { type ProductionOrder, productionOrders } from './production-orders.ts';

const FIRST = 720_001;
/** Share of the recent work orders that need material. */
const WITH_MATERIAL = 0.25;

const none = {
  text: null,
  mg_retour: 0,
  liefnr: null,
  bestpos: null,
  charge: null,
  seriennr: [],
  bem: null,
};
const spares = articles.filter(({ group }) => ['G-BEAR', 'G-SEAL', 'G-DRIVE', 'G-ELEC', 'G-LUBE'].includes(group));

/** Rows that the materials refer to: work orders, purchase orders and their positions. */
export interface Documents {
  readonly workOrders: readonly SeedRow[];
  readonly purchaseOrders: readonly SeedRow[];
  readonly purchaseLines: readonly SeedRow[];
}

/** Material of all production orders and of recent work orders. */
export function orderMaterialTable(documents: Documents): SeedTable {
  const random_ = random('aufmat');
  const rows = [
    ...productionOrders.flatMap((order) => ofProduction(order, random_)),
    ...forMaintenance(documents, random_),
  ];
  return { table: 'aufmat', rows: rows.map((row, index) => numbered(row, FIRST + index)) };
}

const numbered = (row: SeedRow, matnr: number): SeedRow => ({ matnr, matkz: `OM-${matnr}`, ...row });

function ofProduction(
  { faufnr, status, bill, quantity, begins, operations }: ProductionOrder,
  { chance, between }: Random,
): SeedRow[] {
  const isIssued = operations.some(({ state }) => state !== 'O');
  const isOpen = status === '00' || status === '10' || status === '20';
  return bill.components.map((component): SeedRow => {
    const { posnr, article, quantity: each, row } = component;
    const needed = neededOf(component, quantity);
    const returned = status === '80' && each > 50 && chance(0.1) ? between(1, 10) : 0;
    return {
      ...none,
      bezug_art: 'F',
      bezug: faufnr,
      pos: String(posnr * 10).padStart(4, '0'),
      artid: article.artid,
      text: article.name,
      mg_soll: needed,
      mg_reserviert: isOpen ? needed : 0,
      mg_ausgabe: isIssued ? needed : 0,
      mg_retour: returned,
      eh: article.unit,
      platznr: row.platznr ?? null,
      preis: article.cents / 100,
      waehr: 'EUR',
      bedarf: dottedDay(daysAgo(begins)),
      kz_lager: 'J',
      charge: isIssued && article.group === 'G-RAW' ? `H-${between(10_000, 99_999)}` : null,
      seriennr: isIssued && article.group === 'G-DRIVE' ? serials(needed, between(10_000, 90_000)) : [],
      bem: chance(0.03) ? 'Take the opened box first' : null,
      angelegt: compactDay(daysAgo(Math.max(begins, 0) + 2)),
      changed_at: daysAgo(Math.max(begins, 0.2)).toISOString(),
    };
  });
}

/** Quantity of a component for this number of products, with scrap. */
export function neededOf({ quantity: each, row }: Bill['components'][number], quantity: number): number {
  return Math.round(each * quantity * (1 + Number(row.ausschuss ?? 0) / 100) * 1_000) / 1_000;
}

function serials(count: number, first: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `SN-${first + index}`);
}

function forMaintenance({ workOrders, purchaseOrders, purchaseLines }: Documents, random_: Random): SeedRow[] {
  const { between, chance, pick } = random_;
  const chosen = workOrders.filter((order) => isRecent(order) && chance(WITH_MATERIAL));
  const vendorOf = new Map(purchaseOrders.map(({ bestnr, liefnr }) => [bestnr, liefnr]));
  const parts = purchaseLines.filter(({ typ, status }) => typ === 'A' && status === 'A');
  return chosen.flatMap((workOrder) =>
    Array.from({ length: between(1, 3) }, (_, index): SeedRow => {
      const pos = String((index + 1) * 10).padStart(4, '0');
      if (chance(0.8)) return { ...needed(workOrder, random_), pos };
      const line = pick(parts);
      return {
        ...needed(workOrder, random_),
        pos,
        artid: line.artid ?? null,
        text: line.text ?? null,
        eh: line.eh ?? null,
        preis: line.preis ?? null,
        mg_reserviert: 0,
        kz_lager: 'N',
        liefnr: vendorOf.get(line.bestnr ?? null) ?? null,
        bestpos: `${line.bestnr}/${line.posnr}`,
      };
    }),
  );
}

/** A spare part from stock: reserved before work begins, issued from then on. */
function needed(
  { aufid, status, lager, waehr, gemeldet, changed_at }: SeedRow,
  { between, chance, pick }: Random,
): SeedRow {
  const article = pick(spares);
  const quantity = between(1, article.cents < 2_000 ? 12 : 2);
  const isIssued = String(status) >= '20';
  const day = String(gemeldet);
  return {
    ...none,
    bezug_art: 'A',
    bezug: aufid ?? null,
    pos: null,
    artid: article.artid,
    text: article.name,
    mg_soll: quantity,
    mg_reserviert: isIssued ? 0 : quantity,
    mg_ausgabe: isIssued ? quantity : 0,
    mg_retour: isIssued && quantity > 2 && chance(0.1) ? 1 : 0,
    eh: article.unit,
    platznr: lager ?? null,
    preis: article.cents / 100,
    waehr: waehr ?? null,
    bedarf: dottedFrom(day),
    kz_lager: 'J',
    angelegt: day.slice(0, 8),
    changed_at: changed_at ?? null,
  };
}
