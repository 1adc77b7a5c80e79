import { type Random, random } from '../../random.ts';
import { isRecent } from '../../recent-work-orders.ts';
import type { SeedRow, SeedTable } from '../../row.ts';
import { compactDay, compactTime, dayOf, daysAgo } from '../../time.ts';
import { type LaborResource, laborResources } from './labor-resources.ts';
import { type Operation, type ProductionOrder, productionOrders } from './production-orders.ts';

const FIRST = 750_001;
/** Share of the open work orders whose work is planned by person. */
const PLANNED = 0.2;
const HOUR = 3_600_000;

const own = laborResources.filter(({ persnr }) => persnr !== null);
const lent = laborResources.filter(({ vendor }) => vendor !== null);

/** Additional labor, tools and services of production orders, and the labor of recent work orders. */
export function orderResourceTable(workOrders: readonly SeedRow[]): SeedTable {
  const random_ = random('aufres');
  const rows = [
    ...productionOrders.flatMap((order) => order.operations.flatMap((each) => ofOperation(order, each, random_))),
    ...forMaintenance(workOrders, random_),
  ];
  return {
    table: 'aufres',
    rows: rows.map((row, index) => ({ resnr: FIRST + index, reskz: `OR-${FIRST + index}`, ...row })),
  };
}

interface Use {
  readonly order: Pick<SeedRow, string>;
  /** Null if the time has not been spent yet. */
  readonly begun: Date | null;
  readonly hours: number;
  readonly entered: Date;
}

/** A row of the given kind; the actual hours are close to the planned ones. */
function used({ order, begun, hours, entered }: Use, resource: LaborResource | null, kind: SeedRow): SeedRow {
  const ended = begun && new Date(begun.getTime() + hours * HOUR);
  return {
    zeitart: begun ? 'TC-NORM' : null,
    kapnr: resource?.kapnr ?? null,
    persnr: resource?.persnr ?? null,
    liefnr: resource?.vendor ?? null,
    gewerk: resource?.craft ?? null,
    satz_ct: resource?.cents ?? null,
    soll_std: Math.ceil(hours),
    ist_std: begun ? hours : null,
    waehr: 'EUR',
    von: begun && compactTime(begun),
    bis: ended && compactTime(ended),
    konto: 56_710,
    kz_fakt: 'N',
    kz_best: begun ? 'J' : 'N',
    angelegt: compactDay(entered),
    changed_at: (ended ?? entered).toISOString(),
    ...order,
    ...kind,
  };
}

function ofOperation(
  { faufnr, begins }: ProductionOrder,
  { step, state, from, actual, planned }: Operation,
  { chance, pick }: Random,
): SeedRow[] {
  const use: Use = {
    order: { bezug_art: 'F', bezug: faufnr },
    begun: state === 'F' ? daysAgo(begins - from / 1_440) : null,
    hours: Math.round((state === 'F' ? actual : planned) / 6) / 10,
    entered: daysAgo(Math.max(begins, 0) + 2),
  };
  if (step.vendor !== null) {
    const service = { art: 'F', text: step.name, liefnr: step.vendor, soll_std: null, ist_std: null, satz_ct: null };
    return [used(use, null, { ...service, von: null, bis: null, zeitart: null })];
  }
  if (step.name.startsWith('Assemble')) {
    const hand = used(use, pick(own), { art: 'L', text: 'Second person for the assembly' });
    const crane = { art: 'G', text: 'Gantry crane', satz_ct: 1_800, zeitart: null, gewerk: null };
    return chance(0.4) ? [hand, used(use, null, crane)] : [hand];
  }
  const gauge = { art: 'W', text: 'Set of torque wrenches', satz_ct: null, zeitart: null, gewerk: null };
  return step.name === 'Final test' && chance(0.2) ? [used(use, null, gauge)] : [];
}

/** Work on recent orders, as reported by our people, and on some of them by another company. */
function forMaintenance(workOrders: readonly SeedRow[], random_: Random): SeedRow[] {
  return workOrders
    .filter((order) => isRecent(order) && (order.ende || random_.chance(PLANNED)))
    .flatMap((order) => workOn(order, random_));
}

function workOn(
  { aufid, kurztext, beginn, ende, gemeldet, waehr, ist_min }: SeedRow,
  { between, chance, pick }: Random,
): SeedRow[] {
  const begun = ende ? new Date(String(beginn)) : null;
  const use: Use = {
    order: { bezug_art: 'A', bezug: aufid ?? null, waehr: waehr ?? null },
    begun,
    hours: Math.round(Number(begun ? ist_min : between(4, 32) * 15) / 0.6) / 100,
    entered: dayOf(String(gemeldet)),
  };
  const billed = { kz_fakt: chance(0.1) ? 'J' : 'N', text: String(kurztext) };
  const main = used(use, pick(own), { art: 'L', ...billed });
  return chance(0.1) ? [main, used(use, pick(lent), { art: 'F', ...billed })] : [main];
}
