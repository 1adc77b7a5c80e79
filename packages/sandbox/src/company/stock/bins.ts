import type { SeedRow, SeedTable } from '../../row.ts';
import { daysAgo } from '../../time.ts';
import { places } from '../master/places.ts';

const FIRST = 1_001;
const POSITIONS = 5;
const since = { angelegt: '20120301', changed_at: daysAgo(600).toISOString() };

/** A location with bins: the receiving and the staging area, and the positions of its one rack. */
export interface Store {
  readonly platznr: number;
  readonly kz: string;
  readonly werknr: number;
  readonly mand: string;
  /** Stores of one hall replenish each other. */
  readonly hall: number | null;
  readonly arrivals: Bin;
  /** Picked goods wait here. */
  readonly staging: Bin;
  readonly shelves: readonly Bin[];
}

export interface Bin {
  readonly fachnr: number;
  readonly kz: string;
}

export const stores: readonly Store[] = places
  .filter(({ kind }) => kind === 'warehouse' || kind === 'storeroom')
  .map(({ platznr, kz, werknr, mand, ueber }, index) => {
    const first = FIRST + index * 10;
    const shelves = Array.from({ length: POSITIONS }, (_, position) => ({
      fachnr: first + 2 + position,
      kz: `${kz}-010${position + 1}`,
    }));
    return {
      platznr,
      kz,
      werknr,
      mand,
      hall: ueber,
      arrivals: { fachnr: first, kz: `${kz}-IN` },
      staging: { fachnr: first + 7, kz: `${kz}-OUT` },
      shelves,
    };
  });

export function binTable(): SeedTable {
  return { table: 'fach', rows: stores.flatMap(binsOf) };
}

function binsOf({ platznr, kz, arrivals, staging, shelves }: Store, index: number): SeedRow[] {
  const rack = arrivals.fachnr + 1;
  const common = { platznr, zone: 'A', gang: '01', gesperrt: ' ', ...since };
  const none = { ebene: null, pos: null, kapaz: null, kap_eh: null, reihe: null };
  const goodsIn = { ...arrivals, bez: 'Goods in', beschr: 'Waits here to be put away', ueber: null };
  const goodsOut = { ...staging, bez: 'Goods out', beschr: 'Waits here to be shipped or collected', ueber: null };
  return [
    { ...common, ...none, ...goodsIn, zone: 'IN', gang: null, regal: null, kz_entnahme: 'N', kz_einlag: 'J' },
    { ...common, ...none, ...goodsOut, zone: 'OUT', gang: null, regal: null, kz_entnahme: 'N', kz_einlag: 'N' },
    {
      ...{ ...common, ...none, fachnr: rack, kz: `${kz}-01`, bez: 'Rack 1', beschr: null, ueber: null },
      ...{ regal: '01', kz_entnahme: 'N', kz_einlag: 'N' },
    },
    ...shelves.map((shelf, position) => ({
      ...{
        ...common,
        ...shelf,
        bez: `Shelf 1 position ${position + 1}`,
        beschr: position === 0 ? 'Small parts only' : null,
      },
      ...{ ueber: rack, regal: '01', ebene: String(Math.floor(position / 2) + 1), pos: `0${position + 1}` },
      ...{ kapaz: position % 2 === 0 ? '250,00' : '1200,50', kap_eh: position % 2 === 0 ? 'STK' : 'KG' },
      ...{ reihe: (index + 1) * 10 + position, kz_entnahme: 'J', kz_einlag: 'J' },
      gesperrt: (index * POSITIONS + position) % 67 === 66 ? 'X' : ' ',
    })),
  ];
}
