import { random } from '../../random.ts';
import type { SeedRow, SeedTable } from '../../row.ts';
import { compactDay, daysAgo, dottedDay, withComma } from '../../time.ts';
import { centsIn, wholeIn } from '../ledger/exchange-rates.ts';
import { articles, itemTable, suppliersOf } from '../master/items.ts';
import { vendors } from '../master/partners.ts';

const FIRST = 20_001;
const vendorOf = new Map(vendors.map((vendor) => [vendor.number, vendor]));

/** Every purchased item is available from its preferred vendor; some are also available from another one. */
export function supplyOptionTable(): SeedTable {
  const { between, chance, pick } = random('bezug');
  const preferred = new Map(itemTable().rows.map(({ artid, hauptlief }) => [artid, vendorOf.get(Number(hauptlief))]));
  const rows = articles
    .filter(({ kind }) => kind !== 'FERT')
    .flatMap(({ artid, unit, cents, group }): SeedRow[] => {
      const first = preferred.get(artid);
      const second = chance(0.12) ? pick(suppliersOf(group).filter(({ blocked }) => !blocked)) : undefined;
      return [first, second].flatMap((vendor, place) => {
        if (!vendor || (place > 0 && vendor === first)) return [];
        const isPacked = group.startsWith('G-FAST');
        const euroCents = Math.round((cents * (isPacked ? 100 : 1) * between(95, 110)) / 100);
        const since = between(40, 900);
        const price = centsIn(vendor.currency, euroCents, since) / 100;
        const bought = chance(0.7) ? between(2, since) : null;
        return {
          beschr: chance(0.1) ? 'Free delivery above 500' : null,
          artid,
          liefnr: vendor.number,
          lief_artnr: chance(0.8) ? `${pick(['AC', 'BX', 'QR'])}-${between(10_000, 99_999)}` : null,
          hersteller_nr: chance(0.3) ? `M-${between(1_000, 9_999)}` : null,
          eh: isPacked ? 'PAK' : unit,
          inhalt: isPacked ? 100 : 1,
          preis: withComma(price),
          waehr: vendor.currency,
          mindest_mg: chance(0.5) ? between(1, 10) : null,
          schritt_mg: chance(0.3) ? between(1, 5) : null,
          liefertage: chance(0.9) ? between(1, 45) : null,
          gueltig_ab: dottedDay(daysAgo(since)),
          gueltig_bis: chance(0.2) ? dottedDay(daysAgo(-between(10, 400))) : null,
          kz_haupt: place === 0 ? 'J' : 'N',
          melde: chance(0.4) ? between(1, 50) * 10 : null,
          letzt_ct: bought === null ? null : wholeIn(vendor.currency, price * 97),
          letzt_dat: bought === null ? null : dottedDay(daysAgo(bought)),
          angelegt: compactDay(daysAgo(since)),
          changed_at: daysAgo(bought ?? since).toISOString(),
        };
      });
    });
  return {
    table: 'bezug',
    rows: rows.map((row, index): SeedRow => ({ bezugnr: FIRST + index, kz: `SUP-${FIRST + index}`, ...row })),
  };
}
