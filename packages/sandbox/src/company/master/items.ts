import { itemFamilies } from '../../data/item-families.ts';
import { type Trade, tradeOf } from '../../data/trades.ts';
import { random } from '../../random.ts';
import type { SeedRow, SeedTable } from '../../row.ts';
import { compactDay, daysAgo, withComma } from '../../time.ts';
import { type TradingRecord, vendors } from './partners.ts';

const COUNT = 1_200;
const FIRST = 30_001;
const KNOWN = 30_118;
/** Nuts and washers are variants of one template for each shape. */
const VARIED = 'G-FAST-N';
/** Countries that items are made in. */
const ORIGINS = ['DE', 'DE', 'PL', 'IT', 'FR', 'GB'];

export interface Article {
  readonly artid: number;
  readonly name: string;
  readonly group: string;
  readonly kind: string;
  readonly unit: string;
  readonly cents: number;
  /** Number of the template that it is a variant of; its own number if it is the template. */
  readonly template: number | null;
  /** Size of a variant, such as "M8 × 40"; null for other items. */
  readonly size: string | null;
}

/** All items. 30118 is the hex bolt M8 × 40. */
export const articles: readonly Article[] = everything();

function everything(): Article[] {
  const { between, pick } = random('artikel');
  const taken = new Set(['Hex bolt M8 × 40']);
  const templates = new Map<string, number>();
  return Array.from({ length: COUNT }, (_, index) => {
    const artid = FIRST + index;
    if (artid === KNOWN)
      return {
        artid,
        name: 'Hex bolt M8 × 40',
        group: 'G-FAST-B',
        kind: 'TEIL',
        unit: 'STK',
        cents: 11,
        template: null,
        size: null,
      };
    // Small families run out of names: if a name is taken, another family is chosen.
    for (;;) {
      const [group, kind, unit, low, high, nouns, sizes, versions] = pick(itemFamilies);
      const family = pick(nouns);
      const plain = pick(sizes);
      const size = taken.has(`${family} ${plain}`) ? `${plain}, ${pick(versions)}` : plain;
      const name = `${family} ${size}`;
      if (taken.has(name)) continue;
      taken.add(name);
      const article = { artid, name, group, kind, unit, cents: between(low, high), template: null, size: null };
      if (group !== VARIED) return article;
      const template = templates.get(family);
      if (template !== undefined) return { ...article, template, size };
      templates.set(family, artid);
      return { ...article, name: family, template: artid };
    }
  });
}

const byTrade = Map.groupBy(vendors, ({ trade }) => trade);

/** Vendors whose trade includes the group of items. */
export function suppliersOf(group: string): readonly TradingRecord[] {
  const trade: Trade | undefined = tradeOf[group];
  return (trade && byTrade.get(trade)) ?? vendors;
}

export function itemTable(): SeedTable {
  const { between, chance, pick } = random('artikel-data');
  const makers = ['Harland', 'Osterby', 'Kestrel', 'Vantage', 'Rotenfels', 'Lumen'];
  const rows = articles.map(({ artid, name, group, kind, unit, cents, template, size }): SeedRow => {
    const created = between(30, 5_000);
    const stocked = kind !== 'DIEN' && template !== artid;
    // Examples of the document issue this hex bolt from stock.
    const lowest = artid === KNOWN ? 1_000 : 0;
    const reorder = Math.max(lowest / 2, between(1, 60) * 10);
    return {
      artid,
      artnr: `IT-${artid}`,
      bez: name,
      beschr: chance(0.2) ? `${name}, see drawing ${between(1_000, 9_999)}` : null,
      art: kind,
      gruppe: group,
      meins: unit,
      bestell_eh: unit,
      verkauf_eh: kind === 'FERT' ? unit : null,
      mand: group === 'G-LUBE' ? '010' : null,
      waehr: 'EUR',
      sku: `NW${artid}`,
      strichcode: stocked ? `400${artid}0${between(1_000, 9_999)}` : null,
      ean: stocked ? `4${String(artid * 37).padStart(12, '0')}` : null,
      upc: kind === 'FERT' ? `0${String(artid * 53).padStart(11, '0')}` : null,
      teilenr: `${between(10, 99)}-${between(1_000, 9_999)}-${between(10, 99)}`,
      hersteller: chance(0.5) ? pick(makers) : null,
      hersteller_nr: chance(0.4) ? `${pick(makers).slice(0, 2).toUpperCase()}-${between(10_000, 99_999)}` : null,
      kz_baugr: kind === 'FERT' ? 'J' : 'N',
      kz_verkauf: kind === 'FERT' || chance(0.2) ? 'J' : 'N',
      kz_einkauf: kind === 'FERT' ? 'N' : 'J',
      kz_bestand: stocked ? 'J' : 'N',
      kz_ust: 'J',
      kz_varianten: template === artid ? 'J' : 'N',
      vorlage: template === artid ? null : template,
      merkmale: size === null ? [] : [{ merkmal: 'Size', wert: size }],
      chargen: kind === 'HILF' && chance(0.3) ? 'C' : kind === 'FERT' ? 'S' : ' ',
      krit: pick(['A', 'B', 'C']),
      gesperrt: chance(0.03) && artid !== KNOWN ? (artid % 4 === 0 ? 'A' : 'X') : ' ',
      ek_ct: cents,
      vk_ct: kind === 'FERT' ? Math.round(cents * 1.35) : null,
      std_ct: cents,
      gld_ct: Math.round(cents * (0.95 + between(0, 10) / 100)),
      melde: stocked ? reorder : null,
      bestell_mg: stocked ? reorder * 4 : null,
      min_mg: stocked ? reorder / 2 : null,
      max_mg: stocked ? reorder * 10 : null,
      bestand: stocked ? between(lowest, reorder * 8) : null,
      liefertage: between(1, 45),
      ...weightOf(stocked ? between(1, 20_000) : null),
      gew_eh: stocked ? 'KG' : null,
      lg: stocked ? between(5, 1_200) : null,
      br: stocked ? between(5, 400) : null,
      ho: stocked ? between(2, 300) : null,
      mass_eh: stocked ? 'MM' : null,
      haltbar: group === 'G-LUBE' ? 1_095 : null,
      aufwand_kto: '5030',
      bestand_kto: stocked ? '1130' : null,
      erloes_kto: kind === 'FERT' ? '4010' : null,
      hauptlief: pick(suppliersOf(group)).number,
      zolltarif: stocked ? `731815${String(artid % 90).padStart(2, '0')}` : null,
      urspr_land: stocked ? (ORIGINS[artid % ORIGINS.length] ?? null) : null,
      lagerklasse: group === 'G-LUBE' ? '10' : stocked ? '13' : null,
      kupfer_kg: artid % 11 === 0 ? (artid % 40) / 8 : null,
      kz_gefahrgut: group === 'G-LUBE',
      staffel: kind === 'FERT' ? priceLevels(unit, cents) : [],
      bem: chance(0.05) ? 'Replaces an older part' : null,
      angelegt: compactDay(daysAgo(created)),
      changed_at: daysAgo(between(1, 300) + (artid % 1_440) / 1_440).toISOString(),
    };
  });
  return { table: 'artikel', rows };
}

/** Gross and net weight in kilograms. */
function weightOf(grams: number | null): SeedRow {
  if (grams === null) return { gewicht: null, gew_netto: null };
  return { gewicht: grams / 1_000, gew_netto: Math.ceil(grams * 0.95) / 1_000 };
}

/** Distributor price of one machine, and of three or more. */
function priceLevels(eh: string, cents: number): SeedRow[] {
  const level = (share: number, ab_menge: number, bis_menge: number | null): SeedRow => {
    const preis = withComma((cents * share) / 100);
    return { bez: 'Distributors', preis, eh, waehr: 'EUR', ab_menge, bis_menge, steuer: 'S19' };
  };
  return [level(1.2, 1, 2), level(1.15, 3, null)];
}
