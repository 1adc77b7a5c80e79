import { type Random, random } from '../../random.ts';
import type { SeedRow, SeedTable } from '../../row.ts';
import { compactDay, daysAgo } from '../../time.ts';
import { technicians } from '../master/people.ts';
import { meters } from './meters.ts';
import { steps } from './templates.ts';
import type { WorkOrder } from './work-order.ts';

const MOST = 450;
const meterOf = new Map(meters.filter(({ sort: { art } }) => art === 'L').map((meter) => [meter.asset.anlnr, meter]));

/** Steps of the newest orders that were generated from a template; those of settled orders are kept elsewhere. */
export function stepTable(orders: readonly WorkOrder[]): SeedTable {
  const random_ = random('aufschritt');
  const newest = orders
    .filter(({ wpnr, status }) => wpnr !== null && status < '50')
    .sort((one, other) => one.reported - other.reported)
    .slice(0, MOST);
  return { table: 'aufschritt', rows: newest.flatMap((order) => stepsOf(order, random_)) };
}

function stepsOf(order: WorkOrder, random_: Random): SeedRow[] {
  const meter = meterOf.get(order.anlnr);
  const wanted = steps(order.art).filter(({ typ }) => typ !== 'M' || meter !== undefined);
  const done = order.end !== null ? wanted.length : order.status === '20' ? random_.between(0, wanted.length - 1) : 0;
  return wanted.map((step, index) => {
    const state = index < done ? 'E' : index === done && order.status === '20' ? 'B' : 'O';
    const isSkipped = state === 'E' && step.pflicht === 'N' && random_.chance(0.1);
    return stepRow(order, step, isSkipped ? 'U' : state, index, random_);
  });
}

function stepRow(order: WorkOrder, step: SeedRow, status: string, index: number, { chance, pick }: Random): SeedRow {
  const { aufid, anlnr, status: stage } = order;
  const begun = order.start !== null && status !== 'O' ? order.start - index / 200 : null;
  const iso = (days: number | null) => (days === null ? null : daysAgo(Math.max(days, 0.01)).toISOString());
  const isDone = status === 'E';
  const typ = String(step.typ);
  const meter = typ === 'M' ? meterOf.get(anlnr) : undefined;
  const reading = meter && isDone ? Math.round((1_500 - (order.end ?? 0)) * meter.sort.rate * 10) / 10 : null;
  const answer = typ === 'W' ? pick(['Good', 'Good', 'Worn']) : typ === 'U' ? 'Released' : null;
  return {
    aufid,
    schritt: Number(step.nr),
    skz: `WO-${aufid - 400_000_000}/${step.nr}`,
    folge: Number(step.nr),
    bez: String(step.text),
    beschr: step.hinweis ?? null,
    ober_schritt: typ === 'W' ? `${aufid}/20` : null,
    typ,
    status,
    prio_text: chance(0.02) ? 'First task of the shift' : null,
    anlnr,
    zaehlnr: meter?.zaehlnr ?? null,
    monteur: stage >= '15' ? pick(technicians) : null,
    auswahl: step.auswahl ?? null,
    wert: isDone ? (reading === null ? answer : String(reading)) : null,
    messwert: reading,
    eh: meter?.sort.unit ?? null,
    soll_min: Number(step.min),
    ist_min: isDone ? Number(step.min) : null,
    beginn: iso(begun),
    ende: isDone && begun !== null ? iso(begun - 1 / 250) : null,
    erlediger: isDone ? pick(technicians) : null,
    kz_pflicht: String(step.pflicht),
    bem: isDone && chance(0.05) ? 'Belt will last until spring' : null,
    angelegt: compactDay(daysAgo(order.reported)),
    changed_at: daysAgo(Math.max(order.end ?? order.reported, 0.01)).toISOString(),
  };
}
