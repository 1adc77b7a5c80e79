import { type Random, random } from '../../random.ts';
import type { SeedRow, SeedTable } from '../../row.ts';
import { compactDay, daysAgo, THIS_YEAR } from '../../time.ts';
import { type Article, articles } from '../master/items.ts';
import { places } from '../master/places.ts';
import { products, type Routing, routings } from './routings.ts';

const FIRST = 20_001;
/** Numbers of older versions come after those in use, with a gap. */
const FIRST_OLD = 20_501;

interface Component {
  readonly posnr: number;
  readonly article: Article;
  readonly quantity: number;
  /** Bill of the component, if it is made in-house. */
  readonly stlnr: number | null;
  readonly row: SeedRow;
}

export interface Bill {
  readonly stlnr: number;
  readonly product: Article;
  readonly routing: Routing;
  /** Scrap in percent of the material. */
  readonly scrap: number | null;
  readonly components: readonly Component[];
}

/** Components of a machine: group of items, number of different items, minimum and maximum quantity of each. */
const recipe: readonly (readonly [string, number, number, number])[] = [
  ['G-RAW', 2, 20, 400],
  ['G-FAST-B', 2, 12, 160],
  ['G-FAST-N', 1, 12, 160],
  ['G-BEAR', 1, 2, 16],
  ['G-DRIVE', 1, 1, 4],
  ['G-ELEC', 2, 1, 12],
  ['G-PNEU', 1, 1, 6],
];
/** Share of purchased parts in the cost of material. */
const PARTS = 0.7;
const DRIVES = 12;
const conveyors = products.filter(({ name }) => name.startsWith('Conveyor'));

/** The bill in use of each product, in the order of products. */
export const bills: readonly Bill[] = everything();

function everything(): Bill[] {
  const random_ = random('stueckliste');
  return products.map((product, index) => {
    const routing = routings[index] as Routing;
    return bill(FIRST + index, product, routing, random_);
  });
}

function bill(stlnr: number, product: Article, routing: Routing, random_: Random): Bill {
  const { between, chance, pick } = random_;
  const chosen = recipe.flatMap(([group, count, low, high]) => {
    const family = articles.filter((article) => article.group === group);
    const different = new Set(Array.from({ length: count }, () => pick(family)));
    return [...different].map((article) => ({ article, quantity: between(low, high) }));
  });
  const conveyor = !conveyors.includes(product) && chance(0.4) ? pick(conveyors) : null;
  const scrap = [null, 1, 1.5, 2][stlnr % 4] ?? null;
  const budget = (product.cents / 100 - operatingCost(routing)) / (1 + (scrap ?? 0) / 100);
  const isAffordable = conveyor !== null && conveyor.cents / 100 < budget / 2;
  const inside = isAffordable ? [...chosen, { article: conveyor, quantity: 1 }] : chosen;
  const components = inside.map((part, index) => component(index + 1, part, { stlnr, routing }, random_));
  return { stlnr, product, routing, scrap, components: costing(components, budget) };
}

/** Cost of making one piece: setup and work of all steps. */
function operatingCost({ steps }: Routing): number {
  return steps.reduce((sum, { setup, perUnit, cents }) => sum + (setup + perUnit) * cents, 0) / 6_000;
}

/**
 * Components that cost as much as the product may: purchased parts in proportion to their quantities, and the first, which is
 * raw material by weight, for the rest.
 */
function costing([raw, ...others]: readonly Component[], budget: number): Component[] {
  if (!raw) return [];
  const machines = others.filter(({ stlnr }) => stlnr !== null);
  const parts = others.filter(({ stlnr }) => stlnr === null);
  const left = budget - costOf(machines);
  const share = (left * PARTS) / costOf(parts);
  const scaled = parts.map((part) => withQuantity(part, scaledQuantity(part, share)));
  const priceOfOne = costOf([withQuantity(raw, 1_000)]) / 1_000;
  const weight = Math.round(((left - costOf(scaled)) / priceOfOne) * 1_000) / 1_000;
  return [withQuantity(raw, weight), ...scaled, ...machines];
}

/** A machine has few drives, however expensive it is. */
function scaledQuantity({ article, quantity }: Component, share: number): number {
  const most = article.group === 'G-DRIVE' ? DRIVES : Number.POSITIVE_INFINITY;
  return Math.min(most, Math.max(1, Math.floor(quantity * share)));
}

function withQuantity(component: Component, quantity: number): Component {
  return { ...component, quantity, row: { ...component.row, menge: quantity } };
}

function component(
  posnr: number,
  { article, quantity }: { article: Article; quantity: number },
  { stlnr, routing }: { stlnr: number; routing: Routing },
  { chance, pick }: Random,
): Component {
  const below = products.indexOf(article);
  const store = places.find(({ werknr, kind }) => werknr === routing.workshop.werknr && kind === 'storeroom');
  const row: SeedRow = {
    stlnr,
    posnr,
    artid: article.artid,
    text: article.name,
    menge: quantity,
    eh: article.unit,
    ausschuss: article.group === 'G-RAW' ? pick([3, 5, 8]) : null,
    unter_stl: below < 0 ? null : FIRST + below,
    vorgang: `${routing.plnr}/${pick(routing.steps).vornr}`,
    platznr: chance(0.5) ? (store?.platznr ?? null) : null,
    kz_durch: 'N',
    kz_wahl: article.group === 'G-PNEU' && chance(0.3) ? 'J' : 'N',
    kz_ersatz: article.group.startsWith('G-FAST') ? 'J' : 'N',
    preis: article.cents / 100,
    zeichpos: String(posnr * 10),
    bem: article.group === 'G-FAST-B' && chance(0.2) ? 'Tighten with 24 Nm' : null,
    angelegt: '20200302',
    changed_at: daysAgo(20 + (stlnr % 300)).toISOString(),
  };
  return { posnr, article, quantity, stlnr: below < 0 ? null : FIRST + below, row };
}

/** Cost of the material for one piece, in the currency of the bill. */
export const materialCost = ({ components }: Bill): number => costOf(components);

function costOf(components: readonly Component[]): number {
  return components.reduce((sum, { quantity, row, article }) => {
    const scrap = 1 + Number(row.ausschuss ?? 0) / 100;
    return sum + Math.round(quantity * scrap * article.cents) / 100;
  }, 0);
}

/** Bills in use and, for every fourth product, the previous version, which had no conveyor. */
export function billTables(): SeedTable[] {
  const random_ = random('stueckliste-data');
  const old = bills.filter((_, index) => index % 4 === 0);
  const replaced = old.map((current, index) => ({
    current,
    stlnr: FIRST_OLD + index,
    parts: current.components.filter(({ stlnr }) => stlnr === null),
  }));
  return [
    {
      table: 'stueckliste',
      rows: [
        ...bills.map((current) => head(current, random_)),
        ...replaced.map(({ current, stlnr }) => ({
          ...head(current, random_),
          stlnr,
          stlkz: `BOM-${stlnr}`,
          bez: `${current.product.name} until ${THIS_YEAR - 2}`,
          version: 'A',
          vorgabe: 'N',
          gesperrt: 'X',
          gueltig_ab: `${THIS_YEAR - 7}0101`,
          gueltig_bis: `${THIS_YEAR - 2}1231`,
        })),
      ],
    },
    {
      table: 'stlpos',
      rows: [
        ...bills.flatMap(({ components }) => components.map(({ row }) => row)),
        ...replaced.flatMap(({ stlnr, parts }) => parts.map(({ row }) => ({ ...row, stlnr }))),
      ],
    },
  ];
}

function head({ stlnr, product, routing, scrap }: Bill, { between, chance, pick }: Random): SeedRow {
  return {
    stlnr,
    stlkz: `BOM-${stlnr}`,
    bez: `${product.name} in series`,
    beschr: chance(0.2) ? `Drawing ${between(1_000, 9_999)}` : null,
    artid: product.artid,
    menge: 1,
    eh: product.unit,
    typ: 'F',
    version: pick(['B', 'C', 'D']),
    mand: routing.workshop.mand,
    werknr: routing.workshop.werknr,
    plnr: routing.plnr,
    vorgabe: 'J',
    gesperrt: ' ',
    gueltig_ab: `${THIS_YEAR - 1}0101`,
    gueltig_bis: '00000000',
    waehr: 'EUR',
    ausschuss: scrap,
    bem: chance(0.1) ? 'See drawing for torque values' : null,
    angelegt: compactDay(daysAgo(690)),
    changed_at: daysAgo(20 + (stlnr % 300)).toISOString(),
  };
}
