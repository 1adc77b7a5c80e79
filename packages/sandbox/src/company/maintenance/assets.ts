import { random } from '../../random.ts';
import { type Place, places } from '../master/places.ts';

const FIRST = 80_001;
const MACHINES_PER_PLACE = 3;

/** The fields of an asset that other tables need. */
export interface Asset {
  readonly anlnr: number;
  readonly name: string;
  readonly sort: Sort;
  readonly place: Place;
  readonly parent: number | null;
  readonly status: string;
}

export interface Sort {
  readonly name: string;
  /** Code of the category. */
  readonly group: string;
  /** M machine, K component, F vehicle, W tool, G building, L line, I IT equipment. */
  readonly art: 'M' | 'K' | 'F' | 'W' | 'G' | 'L' | 'I';
  readonly euros: number;
  readonly models: readonly string[];
}

const sort = (name: string, group: string, art: Sort['art'], euros: number, ...models: string[]): Sort => ({
  name,
  group,
  art,
  euros,
  models,
});

export const machineSorts: readonly Sort[] = [
  sort('Conveyor', 'A-CONV', 'M', 18_000, 'BC-400', 'BC-600'),
  sort('Case packer', 'A-PACK', 'M', 95_000, 'CP 20'),
  sort('Labeller', 'A-PACK', 'M', 32_000, 'LX 7'),
  sort('Palletizer', 'A-PACK', 'M', 140_000, 'P-3000'),
  sort('Compressor', 'A-PROC', 'M', 24_000, 'K 75', 'K 110'),
  sort('Pump', 'A-PROC', 'M', 4_200, 'NP 50', 'NP 80'),
  sort('Welding robot', 'A-ROBOT', 'M', 120_000, 'WR 6'),
  sort('Press', 'A-MTOOL', 'M', 210_000, 'H 250'),
  sort('Lathe', 'A-MTOOL', 'M', 165_000, 'D 42'),
  sort('Cooling unit', 'A-COOL', 'M', 15_000, 'CU 12'),
];
const gear = sort('Gear motor', 'A-DRIVE', 'K', 1_900, 'GM 1.5', 'GM 3');
const truck = sort('Forklift', 'A-TRUCK', 'F', 28_000, 'FL 16', 'FL 20');
const wrench = sort('Torque wrench', 'A-GAUGE', 'W', 420, 'TW 200');
const building = sort('Building', 'A-BLDG', 'G', 3_400_000, 'Steel hall');
const pipe = sort('Compressed air line', 'A-PIPE', 'L', 36_000, 'DN 50');
const panel = sort('Operator panel', 'A-COMP', 'I', 1_500, 'OP 15');
/** Location of assets that represent a type. */
export const nowhere: Place = { platznr: 0, name: '', kind: '', werknr: 0, mand: '010' };

/**
 * The assets that represent a type, and those of every plant: machines with their drives, vehicles, tools, buildings.
 */
export const assets: readonly Asset[] = everything();
/** Machines in use: orders, requests, meters and alarms refer to them. */
export const machines = assets.filter(
  ({ sort: { art }, place, status }) => art === 'M' && place !== nowhere && status < '80',
);
/** The type that a machine was copied from. */
export const typeOf = (found: Sort) => FIRST + machineSorts.indexOf(found);

function everything(): Asset[] {
  const { weighted, chance } = random('anlage');
  const made: Asset[] = [];
  const counts = new Map<Sort, number>();
  const add = (of: Sort, place: Place, parent: Asset | null = null) => {
    const number = (counts.get(of) ?? 0) + 1;
    counts.set(of, number);
    const status =
      place === nowhere ? '20' : weighted({ '10': 2, '20': 84, '25': 5, '30': 3, '40': 3, '80': 2, '90': 1 });
    const name = place === nowhere ? `Type ${of.name}` : `${of.name} ${number}`;
    made.push({ anlnr: FIRST + made.length, name, sort: of, place, parent: parent?.anlnr ?? null, status });
    return made.at(-1) ?? null;
  };
  for (const each of machineSorts) add(each, nowhere);
  counts.clear();
  let next = 0;
  for (const place of places.filter(({ kind }) => kind === 'line' || kind === 'room')) {
    for (let count = 0; count < MACHINES_PER_PLACE; count++) {
      const machine = add(machineSorts[next++ % machineSorts.length] ?? gear, place);
      if (chance(0.2)) add(gear, place, machine);
    }
    if (place.kind === 'line') add(panel, place);
  }
  for (const place of places.filter(({ kind }) => kind === 'area')) {
    add(building, place);
    add(truck, place);
    add(wrench, place);
    if (chance(0.3)) add(pipe, place);
  }
  return made;
}
