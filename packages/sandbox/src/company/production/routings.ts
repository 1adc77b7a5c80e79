import { type Random, random } from '../../random.ts';
import type { SeedRow, SeedTable } from '../../row.ts';
import { compactDay, daysAgo } from '../../time.ts';
import { type Article, articles } from '../master/items.ts';
import { vendors } from '../master/partners.ts';
import { type Workshop, workCenterOf, workshops } from './work-centers.ts';

const FIRST = 21_001;

/** Finished goods; each has a routing and a bill of materials. */
export const products: readonly Article[] = articles.filter(({ kind }) => kind === 'FERT');

export interface Step {
  readonly vornr: number;
  readonly name: string;
  readonly apnr: number | null;
  readonly setup: number;
  readonly perUnit: number;
  readonly queue: number;
  /** Cost of one hour in cents. */
  readonly cents: number;
  readonly vendor: number | null;
}

export interface Routing {
  readonly plnr: number;
  readonly name: string;
  readonly artid: number | null;
  readonly workshop: Workshop;
  readonly steps: readonly Step[];
}

/**
 * Name, kind of work center (null if done by a vendor), share of products, setup minutes, minimum and maximum minutes per piece.
 */
const work: readonly (readonly [string, string | null, number, number, number, number])[] = [
  ['Cut profiles', 'WT-SAW', 0.7, 20, 15, 40],
  ['Cut sheets', 'WT-LASER', 0.7, 25, 10, 35],
  ['Bend sheets', 'WT-BEND', 0.6, 30, 10, 30],
  ['Mill mounting plates', 'WT-MILL', 0.5, 45, 20, 90],
  ['Weld frame', 'WT-WELD', 1, 20, 60, 180],
  ['Galvanize frame', null, 0.2, 0, 0, 0],
  ['Paint frame', 'WT-PAINT', 0.8, 30, 20, 45],
  ['Assemble frame and drives', 'WT-ASSY', 1, 15, 90, 300],
  ['Wire control cabinet', 'WT-ELEC', 1, 10, 60, 240],
  ['Final test', 'WT-TEST', 1, 20, 30, 120],
];

/** A routing for each product, and one for rework at each plant, for all items. */
export const routings: readonly Routing[] = everything();

function everything(): Routing[] {
  const random_ = random('arbplan');
  const series = products.map((product, index) => {
    const workshop = workshops[index % workshops.length] as Workshop;
    const { artid, name } = product;
    return { plnr: FIRST + index, name, artid, workshop, steps: stepsAt(workshop, random_) };
  });
  const rework = workshops.map((workshop, index) => {
    const steps = stepsAt(workshop, random_).filter(({ name }) => /^(Assemble|Final)/.test(name));
    return { plnr: FIRST + products.length + index, name: `Rework ${workshop.sign}`, artid: null, workshop, steps };
  });
  return [...series, ...rework];
}

function stepsAt(workshop: Workshop, { between, chance, pick }: Random): Step[] {
  return work
    .filter(([, , share]) => chance(share))
    .map(([name, kind, , setup, low, high], index): Step => {
      const center = kind === null ? null : workCenterOf(kind, workshop);
      return {
        vornr: (index + 1) * 10,
        name,
        apnr: center?.apnr ?? null,
        setup,
        perUnit: between(low, high),
        queue: center ? between(0, 6) * 20 : 2_880,
        cents: center ? center.cents.reduce((sum, cents) => sum + cents, 0) : 0,
        vendor: center ? null : pick(vendors).number,
      };
    });
}

export function routingTables(): SeedTable[] {
  const random_ = random('plvorgang');
  const heads = routings.map(({ plnr, name, artid, workshop, steps }): SeedRow => {
    const created = random_.between(100, 2_000);
    return {
      plnr,
      plkz: `RT-${plnr}`,
      bez: artid === null ? name : `${name} in series`,
      beschr: steps.some(({ vendor }) => vendor !== null) ? 'Galvanized outside; plan three days for it' : null,
      artid,
      werknr: workshop.werknr,
      version: random_.pick(['A', 'B', 'C']),
      vorgabe: artid === null ? 'N' : 'J',
      gesperrt: ' ',
      angelegt: compactDay(daysAgo(created)),
      changed_at: daysAgo(random_.between(1, created) + random_.next()).toISOString(),
    };
  });
  const rows = routings.flatMap((routing, index) =>
    routing.steps.map((step) => operation(routing, step, heads[index]?.changed_at ?? null, random_)),
  );
  return [
    { table: 'arbplan', rows: heads },
    { table: 'plvorgang', rows },
  ];
}

const instructions: Readonly<Record<string, string>> = {
  'Weld frame': 'Tack first, check the diagonals, then weld crosswise',
  'Wire control cabinet': 'Label both ends of each wire',
  'Final test': 'Run for two hours with product before release',
};

function operation({ plnr }: Routing, step: Step, changed_at: SeedRow[string], { chance, pick }: Random): SeedRow {
  return {
    plnr,
    vornr: step.vornr,
    bez: step.name,
    text: instructions[step.name] ?? null,
    apnr: step.apnr,
    ruest_min: step.setup,
    stueck_min: step.perUnit,
    losgr: chance(0.3) ? pick([5, 10, 20]) : null,
    warte_min: step.queue,
    transport_min: chance(0.6) ? pick([5, 10, 15]) : null,
    satz_ct: step.apnr !== null && chance(0.1) ? step.cents : null,
    kz_fremd: step.vendor === null ? 'N' : 'J',
    liefnr: step.vendor,
    kz_pruef: /^(Weld|Final)/.test(step.name) ? 'J' : 'N',
    angelegt: '20190107',
    changed_at: changed_at ?? null,
  };
}
