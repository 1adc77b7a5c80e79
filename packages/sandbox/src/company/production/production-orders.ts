import { type Random, random } from '../../random.ts';
import type { SeedRow, SeedTable } from '../../row.ts';
import { compactDay, compactTime, daysAgo, withComma } from '../../time.ts';
import { technicians } from '../master/people.ts';
import { places } from '../master/places.ts';
import { homeOf } from '../stock/levels.ts';
import { type Bill, bills, materialCost } from './bills-of-material.ts';
import type { Step } from './routings.ts';

const COUNT = 250;
const FIRST = 700_001;
const FIRST_OPERATION = 710_001;

/** Frequency of each status, and the maximum number of days since such orders ended or were entered. */
const statuses = { '00': 4, '10': 12, '20': 8, '30': 14, '40': 3, '60': 8, '80': 55, '90': 6 };
const age: Readonly<Record<string, number>> = { '00': 5, '10': 20, '20': 30, '60': 20, '80': 800, '90': 600 };
type Status = keyof typeof statuses;

export interface ProductionOrder {
  readonly faufnr: number;
  readonly status: Status;
  readonly bill: Bill;
  readonly quantity: number;
  /** Days since production began; negative in the future. */
  readonly begins: number;
  readonly operations: readonly Operation[];
  readonly parent: ProductionOrder | null;
}

export interface Operation {
  readonly step: Step;
  readonly state: 'O' | 'B' | 'F';
  readonly planned: number;
  readonly actual: number;
  /** Minutes after the start of the order. */
  readonly from: number;
  readonly scrapped: number;
  readonly good: number;
}

export const productionOrders: readonly ProductionOrder[] = everything();

function everything(): ProductionOrder[] {
  const random_ = random('fauf');
  const orders: ProductionOrder[] = [];
  while (orders.length < COUNT) {
    const faufnr = FIRST + orders.length;
    // The first one is in progress, so that users have an order to report on.
    const status = orders.length === 0 ? '30' : random_.weighted(statuses);
    const order = productionOrder(faufnr, random_.pick(bills), status, null, random_);
    orders.push(order);
    const part = order.bill.components.find(({ stlnr }) => stlnr !== null);
    const bill = bills.find(({ stlnr }) => stlnr === part?.stlnr);
    if (bill && orders.length < COUNT)
      orders.push(productionOrder(faufnr + 1, bill, order.begins > 0 ? '80' : '10', order, random_));
  }
  return orders;
}

function productionOrder(
  faufnr: number,
  bill: Bill,
  status: Status,
  parent: ProductionOrder | null,
  random_: Random,
): ProductionOrder {
  const { between, chance, next } = random_;
  const quantity = parent?.quantity ?? between(1, 5);
  const { steps } = bill.routing;
  const done = { '30': between(1, steps.length - 2), '40': between(1, steps.length - 2), '60': steps.length }[
    status as string
  ];
  const finished = status === '80' ? steps.length : (done ?? 0);
  const scrapAt = finished === steps.length && quantity > 2 && chance(0.15) ? between(0, steps.length - 1) : -1;
  let from = 0;
  const operations = steps.map((step, index): Operation => {
    if (index > 0) from += step.queue;
    const planned = step.setup + step.perUnit * quantity;
    const actual = Math.round(planned * (0.9 + next() * 0.3));
    const state = index < finished ? 'F' : index === finished && status === '30' ? 'B' : 'O';
    const good = state === 'F' ? quantity - (scrapAt >= 0 && index >= scrapAt ? 1 : 0) : 0;
    const operation = { step, state, planned, actual, from, scrapped: index === scrapAt ? 1 : 0, good } as const;
    from += finished > 0 ? actual : planned;
    return operation;
  });
  return { faufnr, status, bill, quantity, begins: beginning(status, operations, parent, random_), operations, parent };
}

/** Days since an order with the status began (negative if it begins later); all completed work is in the past. */
function beginning(
  status: Status,
  operations: readonly Operation[],
  parent: ProductionOrder | null,
  { between, next }: Random,
): number {
  const last = operations.findLast(({ state }) => state !== 'O');
  const days = last ? (last.from + last.actual) / 1_440 : 0;
  const ahead = parent ? Math.max(parent.begins, 0) : 0;
  if (status === '60' || status === '80') return days + ahead + between(1, age[status] ?? 1) * (parent ? 0.01 : 1);
  if (status === '30') return days + next() * 0.1 + 0.1;
  if (status === '40') return days + between(1, 6);
  if (status === '90') return between(1, age['90'] ?? 1);
  return (parent?.begins ?? 0) - between(1, age[status] ?? 1);
}

export function productionOrderTables(): SeedTable[] {
  const random_ = random('fauf-data');
  let favnr = FIRST_OPERATION;
  return [
    { table: 'fauf', rows: productionOrders.map((order) => head(order, random_)) },
    {
      table: 'favorgang',
      rows: productionOrders.flatMap((order) =>
        order.operations.map((operation) => reported(favnr++, order, operation, random_)),
      ),
    },
  ];
}

const moment = (order: ProductionOrder, minutes: number) => daysAgo(order.begins - minutes / 1_440);
const ofKind = (werknr: number, kind: string) => places.find((place) => place.werknr === werknr && place.kind === kind);

function head(order: ProductionOrder, { between, chance, weighted }: Random): SeedRow {
  const { faufnr, status, bill, quantity, operations, begins } = order;
  const { workshop } = bill.routing;
  const end = operations.reduce((latest, { from, planned }) => Math.max(latest, from + planned), 0);
  const actualEnd = operations.reduce((latest, { from, actual }) => Math.max(latest, from + actual), 0);
  const isFinished = status === '60' || status === '80';
  const entered = Math.max(begins, 0) + between(2, 30);
  const closed = Math.max(begins - actualEnd / 1_440 - 2, 0.1);
  const operating = operations.reduce((sum, { planned, step }) => sum + (planned * step.cents) / 6_000, 0);
  return {
    faufnr,
    faufkz: `MO-${faufnr}`,
    text: bill.product.name,
    artid: bill.product.artid,
    stlnr: bill.stlnr,
    plnr: bill.routing.plnr,
    menge: quantity,
    eh: bill.product.unit,
    gut_mg: operations.at(-1)?.good ?? 0,
    aus_mg: operations.reduce((sum, { scrapped }) => sum + scrapped, 0),
    status,
    prio: weighted({ A: 4, B: 12, C: 60, D: 18, E: 6 }),
    mand: workshop.mand,
    kst: workshop.kst,
    konto: 55_030,
    werknr: workshop.werknr,
    platznr: ofKind(workshop.werknr, 'area')?.platznr ?? null,
    zwischenlager: ofKind(workshop.werknr, 'storeroom')?.platznr ?? null,
    ziellager: homeOf.get(bill.product.artid)?.store.platznr ?? ofKind(workshop.werknr, 'warehouse')?.platznr ?? null,
    ober_fauf: order.parent?.faufnr ?? null,
    charge: chance(0.3) ? `L-${faufnr}` : null,
    plan_von: compactTime(moment(order, 0)),
    plan_bis: compactTime(moment(order, end)),
    faellig: chance(0.8) ? compactTime(moment(order, end + between(1, 10) * 1_440)) : null,
    plan_kosten: withComma(quantity * materialCost(bill) + operating),
    waehr: 'EUR',
    beginn: operations.some(({ state }) => state !== 'O') ? moment(order, 0).toISOString() : null,
    ende: isFinished ? moment(order, actualEnd).toISOString() : null,
    abschluss: status === '80' ? daysAgo(closed).toISOString() : null,
    statustext: status === '40' ? 'Waiting for drives' : null,
    bem: chance(0.1) ? 'Paint in RAL 7035' : null,
    angelegt: compactDay(daysAgo(entered)),
    changed_at: daysAgo(status === '80' ? closed : Math.max(Math.min(begins, entered - 1), 0.1)).toISOString(),
  };
}

function reported(
  favnr: number,
  order: ProductionOrder,
  { step, state, planned, actual, from, scrapped, good }: Operation,
  { chance, pick }: Random,
): SeedRow {
  const begun = state !== 'O';
  const ended = state === 'F';
  return {
    favnr,
    favkz: `OP-${favnr}`,
    faufnr: order.faufnr,
    vornr: step.vornr,
    bez: step.name,
    text: chance(0.1) ? 'See drawing for this serial number' : null,
    apnr: step.apnr,
    persnr: begun && step.apnr !== null ? pick(technicians) : null,
    status: state,
    soll_von: compactTime(moment(order, from)),
    soll_bis: compactTime(moment(order, from + planned)),
    ist_von: begun ? moment(order, from).toISOString() : null,
    ist_bis: ended ? moment(order, from + actual).toISOString() : null,
    soll_min: planned,
    ist_min: ended ? actual : begun ? Math.round(actual / 3) : null,
    gut_mg: begun ? good : null,
    aus_mg: begun ? scrapped : null,
    losgr: chance(0.2) ? 5 : null,
    satz_ct: step.cents,
    angelegt: compactDay(daysAgo(Math.max(order.begins, 0) + 2)),
    changed_at: daysAgo(Math.max(order.begins - (begun ? (from + actual) / 1_440 : -1), 0.1)).toISOString(),
  };
}
