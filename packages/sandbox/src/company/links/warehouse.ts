import type { SeedRow } from '../../row.ts';
import { by, type Links, type Rows } from './link.ts';

/** The source of an inventory document, and its description if it follows from the source. */
interface Source {
  readonly urspr_art: string;
  readonly urspr: SeedRow[string];
  readonly beschr?: string;
}

/** Sources of inventory documents in other areas: receipts, sales orders, production orders and shipments. */
export const warehouse: Links = (rows) => {
  const shipments = by(
    rows('lieferung').filter(({ lbnr }) => lbnr !== null),
    ({ lbnr }) => lbnr,
  );
  const sources = sourcesOf(rows);
  return {
    lagerbeleg: ({ lbnr }) => ({
      ...sources.get(String(lbnr)),
      lfnr: shipments.get(String(lbnr))?.lfnr ?? null,
    }),
    bewegung: ({ lbnr, urspr_art, urspr }) => {
      const source = sources.get(String(lbnr)) ?? { urspr_art, urspr };
      return { urspr_art: source.urspr_art ?? null, urspr: source.urspr ?? null };
    },
  };
};

/** Sources by the number of the document. Documents that keep their own source are left out. */
function sourcesOf(rows: Rows): ReadonlyMap<string, Source> {
  const receipts = Map.groupBy(
    rows('wekopf').filter(({ status, kz_retour }) => status === 'B' && kz_retour === 'N'),
    ({ platznr }) => platznr,
  );
  const sold = rows('vkkopf').filter(({ status }) => status === '20' || status === '30');
  const found = rows('lagerbeleg').flatMap(({ lbnr, art, platz_von }, index): [string, Source][] => {
    const at = (table: readonly SeedRow[]) => table[index % table.length];
    const receipt = at(receipts.get(platz_von) ?? []);
    if (art === 'EL' && receipt) return [[String(lbnr), { urspr_art: 'E', urspr: receipt.wenr ?? null }]];
    if (art === 'KM' && index % 3 === 0)
      return [[String(lbnr), { urspr_art: 'V', urspr: at(sold)?.vknr ?? null, beschr: 'Goods for a sales order' }]];
    if (art === 'UM' && index % 3 === 0)
      return [[String(lbnr), { urspr_art: 'F', urspr: at(rows('fauf'))?.faufnr ?? null }]];
    return [];
  });
  return new Map(found);
}
