import { itemCustoms } from '../../data/item-customs.ts';
import { itemFamilies } from '../../data/item-families.ts';
import { type Trade, tradeOf } from '../../data/trades.ts';
import { type Random, random } from '../../random.ts';
import type { SeedRow, SeedTable } from '../../row.ts';
import { compactDay, daysAgo, withComma } from '../../time.ts';
import { type TradingRecord, vendors } from './partners.ts';

const COUNT = 1_200;
const FIRST = 30_001;
const KNOWN = 30_118;
/** Nuts and washers are variants of one template for each shape. */
const VARIED = 'G-FAST-N';
const MAKERS = ['Harland', 'Osterby', 'Kestrel', 'Vantage', 'Rotenfels', 'Lumen'];
/** Countries that items are made in. */
const ORIGINS = ['DE', 'DE', 'PL', 'IT', 'FR', 'GB'];

/** Stock accounts by group or kind of item; other items are spare parts. */
const stockAccounts: Readonly<Record<string, string>> = {
  ...{ 'G-PACK': '1160', ROH: '1110', HILF: '1120', WERK: '1120', FERT: '1150' },
};

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

/** An item with the choices that several columns depend on. */
interface Entry {
  readonly article: Article;
  readonly isStocked: boolean;
  readonly reorder: number;
  readonly random_: Random;
}

export function itemTable(): SeedTable {
  const random_ = random('artikel-data');
  const { between, chance, pick } = random_;
  const rows = articles.map((article): SeedRow => {
    const { artid, name, group, kind, unit, template } = article;
    const isStocked = kind !== 'DIEN' && template !== artid;
    const created = between(30, 5_000);
    // Examples of the document issue this hex bolt from stock.
    const reorder = artid === KNOWN ? 500 : reorderAt(between(1, 60), article);
    const entry = { article, isStocked, reorder, random_ };
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
      ...identifiersOf(entry),
      ...rolesOf(entry),
      krit: pick(['A', 'B', 'C']),
      gesperrt: chance(0.03) && artid !== KNOWN ? (artid % 4 === 0 ? 'A' : 'X') : ' ',
      ...pricesOf(entry),
      ...stockOf(entry),
      umrechnung: packagesOf(article),
      liefertage: between(1, 45),
      ...sizeOf(entry),
      haltbar: group === 'G-LUBE' ? 1_095 : null,
      aufwand_kto: '5030',
      bestand_kto: isStocked ? (stockAccounts[group] ?? stockAccounts[kind] ?? '1130') : null,
      erloes_kto: kind === 'FERT' ? '4010' : null,
      hauptlief: pick(suppliersOf(group)).number,
      zolltarif: isStocked ? (itemCustoms[group]?.code ?? null) : null,
      urspr_land: isStocked ? (ORIGINS[artid % ORIGINS.length] ?? null) : null,
      lagerklasse: group === 'G-LUBE' ? '10' : isStocked ? '13' : null,
      kupfer_kg: artid % 11 === 0 ? (artid % 40) / 8 : null,
      kz_gefahrgut: group === 'G-LUBE',
      bem: chance(0.05) ? 'Replaces an older part' : null,
      angelegt: compactDay(daysAgo(created)),
      changed_at: daysAgo(between(1, 300) + (artid % 1_440) / 1_440).toISOString(),
    };
  });
  return { table: 'artikel', rows };
}

/** Stock level that triggers an order: the more an item costs, the less of it is kept. */
function reorderAt(drawn: number, { cents, kind }: Article): number {
  if (kind === 'FERT') return 1;
  if (cents < 2_000) return drawn * 10;
  return Math.max(11, cents < 20_000 ? drawn : Math.ceil(drawn / 4));
}

/** Numbers of the item here, at its manufacturer, and in the trade. */
function identifiersOf({ article: { artid, kind }, isStocked, random_ }: Entry): SeedRow {
  const { between, chance, pick } = random_;
  return {
    sku: `NW${artid}`,
    strichcode: isStocked ? `400${artid}0${between(1_000, 9_999)}` : null,
    ean: isStocked ? `4${String(artid * 37).padStart(12, '0')}` : null,
    upc: kind === 'FERT' ? `0${String(artid * 53).padStart(11, '0')}` : null,
    teilenr: `${between(10, 99)}-${between(1_000, 9_999)}-${between(10, 99)}`,
    hersteller: chance(0.5) ? pick(MAKERS) : null,
    hersteller_nr: chance(0.4) ? `${pick(MAKERS).slice(0, 2).toUpperCase()}-${between(10_000, 99_999)}` : null,
  };
}

/** Uses of the item, its variants, and how its stock is tracked. */
function rolesOf({ article: { artid, kind, template, size }, isStocked, random_ }: Entry): SeedRow {
  const isMachine = kind === 'FERT';
  return {
    kz_baugr: isMachine ? 'J' : 'N',
    kz_verkauf: isMachine || random_.chance(0.2) ? 'J' : 'N',
    kz_einkauf: isMachine ? 'N' : 'J',
    kz_bestand: isStocked ? 'J' : 'N',
    kz_ust: 'J',
    kz_varianten: template === artid ? 'J' : 'N',
    vorlage: template === artid ? null : template,
    merkmale: size === null ? [] : [{ merkmal: 'Size', wert: size }],
    chargen: kind === 'HILF' && random_.chance(0.3) ? 'C' : isMachine ? 'S' : ' ',
  };
}

function pricesOf({ article: { kind, unit, cents }, random_ }: Entry): SeedRow {
  return {
    ek_ct: cents,
    vk_ct: kind === 'FERT' ? Math.round(cents * 1.35) : null,
    std_ct: cents,
    gld_ct: Math.round(cents * (0.95 + random_.between(0, 10) / 100)),
    staffel: kind === 'FERT' ? priceLevels(unit, cents) : [],
  };
}

/** Quantity in stock, and the limits within which it is kept. */
function stockOf({ article: { artid, kind }, isStocked, reorder, random_ }: Entry): SeedRow {
  if (!isStocked) return { melde: null, bestell_mg: null, min_mg: null, max_mg: null, bestand: null };
  return {
    melde: reorder,
    bestell_mg: reorder * 4,
    min_mg: Math.floor(reorder / 2),
    max_mg: reorder * 10,
    bestand: artid === KNOWN ? 24_000 : kind === 'FERT' ? random_.between(4, 7) : random_.between(reorder, reorder * 8),
  };
}

/** Packages of items that are kept by the hundred. */
function packagesOf({ artid, cents, unit }: Article): SeedRow[] {
  if (unit !== 'STK' || cents >= 500) return [];
  return [{ eh: 'PAK', faktor: cents < 50 ? 200 : 10, strichcode: `5${String(artid * 41).padStart(12, '0')}` }];
}

/** Gross and net weight in kilograms, and dimensions in millimeters. */
function sizeOf({ article: { group }, isStocked, random_: { between } }: Entry): SeedRow {
  const customs = itemCustoms[group];
  if (!isStocked || !customs)
    return { gewicht: null, gew_netto: null, gew_eh: null, lg: null, br: null, ho: null, mass_eh: null };
  const grams = between(...customs.grams);
  return {
    gewicht: grams / 1_000,
    gew_netto: Math.ceil(grams * 0.95) / 1_000,
    gew_eh: 'KG',
    lg: between(5, 1_200),
    br: between(5, 400),
    ho: between(2, 300),
    mass_eh: 'MM',
  };
}

/** Distributor price of one machine, and of three or more. */
function priceLevels(eh: string, cents: number): SeedRow[] {
  const level = (share: number, ab_menge: number, bis_menge: number | null): SeedRow => {
    const preis = withComma((cents * share) / 100);
    return { bez: 'Distributors', preis, eh, waehr: 'EUR', ab_menge, bis_menge, steuer: 'S19' };
  };
  return [level(1.2, 1, 2), level(1.15, 3, null)];
}
