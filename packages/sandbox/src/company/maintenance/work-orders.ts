import { type Random, random } from '../../random.ts';
import type { SeedRow, SeedTable } from '../../row.ts';
import { compactTime, daysAgo, withComma } from '../../time.ts';
import { FIRST_WORK_ORDER, WORK_ORDERS } from '../../work-order-numbers.ts';
import { vendors } from '../master/partners.ts';
import { foremen, technicians } from '../master/people.ts';
import { places } from '../master/places.ts';
import { laborResources } from '../production/labor-resources.ts';
import { type Asset, machines } from './assets.ts';
import { templateFor } from './templates.ts';
import type { WorkOrder } from './work-order.ts';

/** Frequency of each status, and the maximum age of such orders in days since they were reported. */
const statuses = { '00': 4, '05': 2, '10': 8, '15': 3, '20': 5, '30': 3, '35': 1, '40': 12, '50': 58, '90': 4 };
const age: Readonly<Record<keyof typeof statuses, number>> = {
  '00': 10,
  '05': 15,
  '10': 30,
  '15': 30,
  '20': 40,
  '30': 60,
  '35': 60,
  '40': 120,
  '50': 1_400,
  '90': 900,
};
const jobs: readonly (readonly [string, string, string, string, string])[] = [
  ['Replace bearing of', 'CM', 'P-NOISE', 'F-BRG', 'R-REPL'],
  ['Replace seal of', 'CM', 'P-LEAK', 'F-SEAL', 'R-REPL'],
  ['Lubricate', 'LUB', 'P-NOISE', 'F-GEAR', 'R-LUBE'],
  ['Inspect', 'INSP', 'P-VIB', 'F-SENS', 'R-ADJ'],
  ['Calibrate', 'CAL', 'P-QUAL', 'F-SENS', 'R-ADJ'],
  ['Repair motor of', 'EM', 'P-STOP', 'F-MOTOR', 'R-REPL'],
  ['Clean', 'PM', 'P-HOT', 'F-VALVE', 'R-CLEAN'],
  ['Change belt of', 'CM', 'P-SLOW', 'F-BELT', 'R-REPL'],
  ['Check wiring of', 'CM', 'P-ELEC', 'F-CABLE', 'R-RESET'],
];
/** Reports on the work that was done, by activity of a finished order. */
const reports: Readonly<Record<string, readonly string[]>> = {
  'Replace bearing of': ['Bearing 6204 replaced, shaft cleaned', 'Both bearings replaced, runs quietly'],
  'Replace seal of': ['Shaft seal replaced, no more oil loss', 'Seal and ring replaced, level topped up'],
  Lubricate: ['All points greased', 'Chain oiled, gear oil topped up'],
  Inspect: ['No findings', 'Sensor realigned, bolts retightened'],
  Calibrate: ['Within tolerance after adjustment', 'Calibrated, certificate attached'],
  'Repair motor of': ['Motor replaced, old one sent for rewinding', 'Motor dried and bearings replaced'],
  Clean: ['Cleaned, valve moves freely', 'Filter and housing cleaned'],
  'Change belt of': ['Belt replaced and tensioned', 'Belt and both pulleys replaced'],
  'Check wiring of': ['Loose terminal found and tightened', 'Damaged cable replaced'],
};
const observations = [
  'Has been squeaking since the night shift',
  'Oil under the frame',
  'Stops after ten minutes',
  'Rejects one box in twenty',
  'Reported by the shift supervisor',
  'Due according to plan',
];
const machinesAt = Map.groupBy(machines, ({ place }) => place.platznr);
const finePlaces = places.filter(({ platznr }) => machinesAt.has(platznr));
const storesAt = Map.groupBy(
  places.filter(({ kind }) => kind === 'storeroom'),
  ({ werknr }) => werknr,
);

/** One in this many orders came from a request; these are their numbers. */
const REQUESTED_EVERY = 50;
const FIRST_REQUEST = 86_501;

interface PlannedWorkOrder extends WorkOrder {
  readonly row: SeedRow;
}

/** Work orders of the last four years. */
export function workOrders(): PlannedWorkOrder[] {
  const random_ = random('auftrag');
  const orders: PlannedWorkOrder[] = [];
  for (let index = 0; index < WORK_ORDERS; index++) orders.push(workOrder(index, orders, random_));
  return orders;
}

export function workOrderTable(orders: readonly PlannedWorkOrder[]): SeedTable {
  return { table: 'auftrag', rows: orders.map(({ row }) => row) };
}

function workOrder(index: number, before: readonly PlannedWorkOrder[], random_: Random): PlannedWorkOrder {
  const { between, pick, weighted } = random_;
  const status = weighted(statuses);
  const words = pick(jobs);
  const [, art] = words;
  const asset = pick(machinesAt.get(pick(finePlaces).platznr) ?? machines);
  const reported = between(1, age[status]) + between(0, 1_439) / 1_440;
  const minutes = between(2, 48) * 10;
  const start = Math.max(reported - between(5, 25) / 10, 0.2);
  const wasRequested = (art === 'CM' || art === 'EM') && index % REQUESTED_EVERY === 0;
  const order: WorkOrder = {
    aufid: FIRST_WORK_ORDER + index,
    anlnr: asset.anlnr,
    status,
    art,
    wpnr: templateFor(asset, art),
    meldnr: wasRequested ? FIRST_REQUEST + index / REQUESTED_EVERY : null,
    reported,
    start: status >= '20' && status !== '90' ? start : null,
    end: status === '40' || status === '50' ? Math.max(start - minutes / 1_440, 0.1) : null,
  };
  return { ...order, row: workOrderRow(order, { words, asset, minutes, before }, random_) };
}

interface Job {
  readonly before: readonly PlannedWorkOrder[];
  readonly words: (typeof jobs)[number];
  readonly asset: Asset;
  readonly minutes: number;
}

function workOrderRow(order: WorkOrder, { words, asset, minutes, before }: Job, random_: Random): SeedRow {
  const { aufid, anlnr, status, art, wpnr, meldnr, reported } = order;
  const { between, chance, pick, weighted } = random_;
  const [verb, , problem] = words;
  const { place } = asset;
  return {
    aufid,
    aufnr: `WO-${aufid - 400_000_000}`,
    kurztext: `${verb} ${asset.name[0]?.toLowerCase()}${asset.name.slice(1)}`,
    langtext: chance(0.7) ? pick(observations) : null,
    anweisung: chance(0.3) ? 'Lock out the drive before opening the cover' : null,
    status,
    prio: weighted({ '1': 5, '2': 15, '3': 50, '4': 20, '5': 10 }),
    art,
    ober_auf: aufid > FIRST_WORK_ORDER + 100 && chance(0.03) ? parentOf(order, place.werknr, before, random_) : null,
    anlnr,
    werknr: place.werknr,
    platznr: place.platznr,
    lager: pick(storesAt.get(place.werknr) ?? []).platznr,
    mand: place.mand,
    kst: place.mand === '020' ? '5200' : place.mand === '030' ? '6200' : pick(['4100', '4200']),
    konto: 56_710,
    projnr: chance(0.03) ? 600_101 + between(0, 71) : null,
    kdnr: place.werknr >= 1_080 ? 2_001 + between(0, 50) : null,
    meldnr,
    wpnr,
    melder: pick(technicians),
    meister: pick(foremen),
    monteur: status >= '15' && chance(0.95) ? pick(technicians) : null,
    kapliste: status >= '15' && chance(0.06) ? `${pick(laborResources).kapnr} ${pick(laborResources).kapnr}` : null,
    team: pick(['T-MECH', 'T-ELEC', 'T-AUTO', 'T-BLDG']),
    liefnr: chance(0.05) ? pick(vendors).number : null,
    problem: art === 'PM' || art === 'LUB' ? null : problem,
    kz_stillstand: art === 'EM' || chance(0.1) ? 'X' : ' ',
    kz_unterschrift: chance(0.1) ? 'J' : 'N',
    soll_min: between(2, 32) * 15,
    soll_kosten: chance(0.6) ? withComma(between(4_000, 250_000) / 100) : null,
    waehr: place.mand === '020' ? 'GBP' : place.mand === '030' ? 'PLN' : 'EUR',
    schicht: ['early', 'late', 'night'][aufid % 3] ?? null,
    helfer: aufid % 4 === 0 ? aufid % 3 : null,
    abnahme_am: order.end === null || aufid % 2 === 0 ? null : daysAgo(order.end).toISOString(),
    bem: chance(0.1) ? 'Ladder needed' : null,
    gemeldet: compactTime(daysAgo(reported)),
    erfasst: compactTime(daysAgo(reported)),
    ...found(order, words, minutes, random_),
    ...course(order, minutes, random_),
  };
}

/** One of the first 100 orders, if it was reported earlier at the same site. */
function parentOf(
  { reported }: WorkOrder,
  site: number,
  before: readonly PlannedWorkOrder[],
  { between }: Random,
): number | null {
  const from = between(0, 99);
  const turned = [...before.slice(from, 100), ...before.slice(0, from)];
  return turned.find((each) => each.row.werknr === site && each.reported > reported)?.aufid ?? null;
}

/** Findings, once the work is done. */
function found(
  { end, art }: WorkOrder,
  words: Job['words'],
  minutes: number,
  { between, chance, pick }: Random,
): SeedRow {
  const [verb, , , schaden, abhilfe] = words;
  const done = end !== null;
  return {
    schaden: done ? schaden : null,
    ursache: done ? pick(['C-WEAR', 'C-LUBE', 'C-DIRT', 'C-OPER', 'C-OVER']) : null,
    abhilfe: done ? abhilfe : null,
    stillstand_min: done && art === 'EM' ? between(10, 600) : null,
    ist_min: done ? minutes : null,
    rueckmeldung: done && chance(0.8) ? pick(reports[verb] ?? ['Done']) : null,
  };
}

/** Times at which the order was planned, released, worked on and ended, depending on its progress. */
function course(
  { status, reported, start, end }: WorkOrder,
  minutes: number,
  { between, chance, pick }: Random,
): SeedRow {
  // Work is released on the day of the report, and planned for a later one.
  const planned = reported - between(1, 5);
  const isPlanned = status >= '15';
  const released = status >= '10' && status !== '90';
  const isHeld = status === '30' || status === '35';
  const held = Math.max((start ?? 0) - minutes / 1_440, 0.1);
  const iso = (when: boolean, days: number) => (when ? daysAgo(days).toISOString() : null);
  return {
    freigeber: released ? pick(foremen) : null,
    plan_von: isPlanned ? compactTime(daysAgo(planned)) : null,
    plan_bis: isPlanned ? compactTime(daysAgo(planned - minutes / 1_440)) : null,
    faellig: chance(0.8) ? compactTime(daysAgo(planned - between(1, 16))) : null,
    freigabe_am: iso(released, Math.max(reported - 0.3, 0.3)),
    beginn: iso(start !== null, start ?? 0),
    ende: iso(end !== null, end ?? 0),
    abschluss: iso(status === '50', Math.max((end ?? 0) - 2, 0.05)),
    storno_am: iso(status === '90', Math.max(reported - 1, 0.1)),
    halt_am: iso(isHeld, held),
    halt_grund: status === '30' ? 'H-PART' : status === '35' ? pick(['H-CREW', 'H-PROD']) : null,
    storno_grund: status === '90' ? pick(['S-DUP', 'S-NOT', 'S-ERR']) : null,
    changed_at: daysAgo(end === null ? Math.max(reported - 1, 0.1) : Math.max(end - 2, 0.05)).toISOString(),
  };
}
