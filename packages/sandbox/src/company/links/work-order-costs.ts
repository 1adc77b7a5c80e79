import type { SeedRow } from '../../row.ts';
import type { Links } from './link.ts';

/** The cost of work orders in cents: labor, issued material, and services of other companies. */
export const workOrderCosts: Links = (rows) => {
  const ofWorkOrders = (table: string) => rows(table).filter(({ bezug_art }) => bezug_art === 'A');
  const services = totals(
    ofWorkOrders('aufres').filter(({ art }) => art === 'F'),
    resourceCents,
  );
  const labor = totals(
    ofWorkOrders('aufres').filter(({ art }) => art !== 'F'),
    resourceCents,
  );
  const material = totals(ofWorkOrders('aufmat'), materialCents);
  return {
    auftrag: ({ aufid }) => {
      const of = (cents: ReadonlyMap<unknown, number>) => cents.get(aufid) || null;
      return { lohn_ct: of(labor), mat_ct: of(material), fremd_ct: of(services) };
    },
  };
};

const resourceCents = ({ ist_std, satz_ct }: SeedRow) => Math.round(Number(ist_std) * Number(satz_ct));

const materialCents = ({ mg_ausgabe, mg_retour, preis }: SeedRow) =>
  Math.round((Number(mg_ausgabe) - Number(mg_retour)) * Math.round(Number(preis) * 10_000)) / 100;

/** Total per order, in whole cents. */
function totals(rows: readonly SeedRow[], centsOf: (row: SeedRow) => number): ReadonlyMap<unknown, number> {
  const found = new Map<unknown, number>();
  for (const row of rows) found.set(row.bezug, (found.get(row.bezug) ?? 0) + Math.round(centsOf(row)));
  return found;
}
