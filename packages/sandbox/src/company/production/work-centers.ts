import { random } from '../../random.ts';
import type { SeedRow, SeedTable } from '../../row.ts';
import { daysAgo } from '../../time.ts';
import { places } from '../master/places.ts';

const FIRST = 101;

/** A plant with production, and its cost center. */
export interface Workshop {
  readonly sign: string;
  readonly werknr: number;
  readonly mand: string;
  readonly kst: string;
}

export interface WorkCenter {
  readonly apnr: number;
  readonly name: string;
  readonly kind: string;
  readonly workshop: Workshop;
  /** Cost of one hour in cents: labor, machine, overhead. */
  readonly cents: readonly [number, number, number];
}

export const workshops: readonly Workshop[] = [
  { sign: 'HAM', werknr: 1000, mand: '010', kst: '3100' },
  { sign: 'STD', werknr: 1010, mand: '010', kst: '3200' },
  { sign: 'ULM', werknr: 1020, mand: '010', kst: '3300' },
  { sign: 'CHE', werknr: 1030, mand: '010', kst: '3400' },
  { sign: 'SHF', werknr: 1040, mand: '020', kst: '5100' },
  { sign: 'GLI', werknr: 1060, mand: '030', kst: '6100' },
];

/** Kind, name, euros per hour for labor and machine, capabilities. */
const machines: readonly (readonly [string, string, number, number, string])[] = [
  ['WT-SAW', 'Saw', 34, 18, 'Profiles and bars up to 320 mm'],
  ['WT-LASER', 'Laser cutter', 38, 62, 'Sheets up to 3 × 1.5 m, steel up to 20 mm'],
  ['WT-BEND', 'Press brake', 38, 35, 'Up to 3 m, 160 t'],
  ['WT-MILL', 'Machining center', 42, 71, 'Three axes, 1200 × 600 mm'],
  ['WT-WELD', 'Welding booth', 46, 12, 'MAG and TIG, frames up to 4 m'],
  ['WT-PAINT', 'Paint shop', 36, 28, 'Powder coating, RAL 7035 and 5010'],
  ['WT-ASSY', 'Assembly station', 41, 6, 'Two gantry cranes, 2 t each'],
  ['WT-ELEC', 'Wiring station', 44, 4, 'Control cabinets up to 400 A'],
  ['WT-TEST', 'Test bench', 48, 15, 'Endurance run with product'],
];

const workCenters: readonly WorkCenter[] = workshops.flatMap((workshop, plant) =>
  machines.map(([kind, name, labor, machine], index) => ({
    apnr: FIRST + plant * machines.length + index,
    name: `${name} ${workshop.sign}`,
    kind,
    workshop,
    cents: [labor * 100, machine * 100, Math.round((labor + machine) * 14)] as const,
  })),
);

/** The work center of a kind at a plant. */
export function workCenterOf(kind: string, { werknr }: Workshop): WorkCenter {
  const found = workCenters.find((center) => center.kind === kind && center.workshop.werknr === werknr);
  if (!found) throw new Error(`Plant ${werknr} has no ${kind}`);
  return found;
}

const shifts = {
  one: [['06:00', '14:30']],
  two: [['06:00', '22:00']],
  three: [
    ['06:00', '22:00'],
    ['22:00', '06:00'],
  ],
};

export function workCenterTable(): SeedTable {
  const { between, chance, pick, weighted } = random('arbplatz');
  const rows = workCenters.map(({ apnr, name, kind, workshop, cents: [lohn_ct, masch_ct, gemein_ct] }): SeedRow => {
    const halls = places.filter((place) => place.werknr === workshop.werknr && place.kind === 'area');
    const hours = shifts[weighted({ one: 3, two: 5, three: 1 })];
    return {
      apnr,
      apkz: `WC-${apnr}`,
      bez: name,
      beschr: machines.find(([known]) => known === kind)?.[4] ?? null,
      typ: kind,
      werknr: workshop.werknr,
      platznr: pick(halls).platznr,
      kst: workshop.kst,
      stueck_std: between(2, 120) / 2,
      parallel: kind === 'WT-ASSY' ? between(2, 6) : 1,
      nutzgrad: between(75, 98),
      lohn_ct,
      masch_ct,
      gemein_ct,
      waehr: 'EUR',
      status: weighted({ P: 60, R: 10, L: 15, W: 6, S: 4, A: 5 }),
      zeiten: ['MO', 'DI', 'MI', 'DO', 'FR'].flatMap((tag) => hours.map(([von = '', bis = '']) => ({ tag, von, bis }))),
      ruest_min: between(2, 9) * 5,
      abruest_min: between(1, 4) * 5,
      gesperrt: chance(0.04) ? 'X' : ' ',
      angelegt: '20120402',
      changed_at: daysAgo(between(1, 40) + between(0, 1_439) / 1_440).toISOString(),
    };
  });
  return { table: 'arbplatz', rows };
}
