import type { SeedRow } from '../../row.ts';
import { by, type Links } from './link.ts';

/** Machines by the kind of their work center. */
const machineOf: Readonly<Record<string, string>> = {
  'WT-WELD': 'Welding robot',
  'WT-BEND': 'Press',
  'WT-MILL': 'Lathe',
};
const RENTED = 3;

/** Equipment of orders, places and contracts. */
export const equipment: Links = (rows) => {
  const real = rows('anlage').filter(({ kz_real, status }) => kz_real === 'J' && String(status) < '80');
  const orders = by(rows('auftrag'), ({ aufid }) => aufid);
  const assetOf = (aufid: SeedRow[string] | undefined) => orders.get(String(aufid))?.anlnr ?? null;
  const bought = by(rows('bestpos'), ({ bestnr, posnr }) => `${bestnr}/${posnr}`);
  const ofKind = Map.groupBy(real, ({ art }) => String(art));
  const machines = ofKind.get('M') ?? [];
  const some = (art: string, first: number) => {
    const list = ofKind.get(art) ?? [];
    return Array.from({ length: RENTED }, (_, at) => list[(first * RENTED + at) % list.length]?.anlnr);
  };
  return {
    bestpos: ({ aufid }) => ({ anlnr: assetOf(aufid) }),
    wepos: ({ best_pos }) => ({ anlnr: assetOf(bought.get(String(best_pos))?.aufid) }),
    ausgabe: ({ aufid }) => ({ anlnr: assetOf(aufid) }),
    aufres: ({ art }, index) => ({ anlnr: art === 'W' ? (some('W', index)[0] ?? null) : null }),
    arbplatz: ({ typ, werknr }) => {
      const machine = machineOf[String(typ)];
      const there = machines.find((each) => each.werknr === werknr && machine && String(each.bez).startsWith(machine));
      return { anlnr: there?.anlnr ?? null };
    },
    // Leased forklifts, and machines that are maintained by a vendor.
    vertrag: ({ art }, index) => {
      const kind = { M: 'F', W: 'M' }[String(art)];
      return { anlagen: kind ? some(kind, index).join(' ') : null };
    },
    artikel: ({ gruppe }, index) => ({
      anlagen: gruppe === 'G-BEAR' || gruppe === 'G-DRIVE' ? some('M', index).join(' ') : null,
    }),
  };
};
