import { tradeOf, trades } from '../../data/trades.ts';
import { type Random, random } from '../../random.ts';
import { articles, itemTable } from '../master/items.ts';
import { type Bin, type Store, stores } from './bins.ts';

const FIRST = 10_001;
const PLANTS = 1_070;
const KNOWN = 30_118;
/** Plants below this number ship to customers. */
const SHIPPING = 1_060;
/** One in this many stores keeps the items of a trade. */
const SHARED = 9;

/** Stock of one item in one bin, with the fields of the item that other tables need. */
export interface Level {
  readonly bestandnr: number;
  readonly article: (typeof articles)[number];
  readonly store: Store;
  readonly bin: Bin;
  readonly lot: string | null;
  readonly serial: string | null;
  /** Quantity today. */
  readonly onHand: number;
}

const states = ['Q', 'S', 'T', 'K'] as const;

/** F free, Q in inspection, S blocked, T in transit, K owned by its vendor (only purchased items). */
export function stateOf({ article, bestandnr, serial }: Level): 'F' | (typeof states)[number] {
  const drawn = bestandnr % 20 === 0 && !serial ? (states[(bestandnr / 20) % 4] ?? 'F') : 'F';
  return drawn === 'K' && article.kind === 'FERT' ? 'F' : drawn;
}

/** Stock that has no value in the books of the company. */
export const isConsigned = (level: Level) => stateOf(level) === 'K';

const inPlants = stores.filter(({ werknr }) => werknr < PLANTS);

/** Today's stock. The stock of each item adds up to its quantity. */
export const levels: readonly Level[] = everything();

/** The stock of each item where it is usually kept, by item number. Purchases and sales of the item move it. */
export const homeOf: ReadonlyMap<number, Level> = new Map(
  [...levels].reverse().map((level) => [level.article.artid, level]),
);

function everything(): Level[] {
  const random_ = random('bestand');
  const stock = itemTable().rows.filter(({ bestand }) => bestand !== null);
  const byNumber = new Map(articles.map((article) => [article.artid, article]));
  const found = stock.flatMap((row): Omit<Level, 'bestandnr'>[] => {
    const article = byNumber.get(Number(row.artid));
    return article ? spread(article, Number(row.bestand), String(row.chargen), random_) : [];
  });
  return found.map((level, index) => ({ bestandnr: FIRST + index, ...level }));
}

/** Stores that keep an item: a machine is in the store that it is shipped from; other items are with those of their trade. */
function homesOf({ kind, group }: Level['article']): readonly Store[] {
  if (kind === 'FERT') return inPlants.filter(({ werknr, kz }) => werknr < SHIPPING && kz.endsWith('-W1'));
  const place = trades.indexOf(tradeOf[group] ?? 'services') % SHARED;
  return inPlants.filter((_, index) => index % SHARED === place);
}

/**
 * An item is stocked in one store, every fifth one also in the other store of the hall; single machines are stored
 * separately.
 */
function spread(
  article: Level['article'],
  total: number,
  tracking: string,
  random_: Random,
): Omit<Level, 'bestandnr'>[] {
  const { between, chance, pick } = random_;
  const home = article.artid === KNOWN ? inPlants[0] : pick(homesOf(article));
  const other = inPlants.find(({ hall, platznr }) => hall === home?.hall && platznr !== home?.platznr);
  const isSpread = chance(0.2) || article.artid === KNOWN;
  const lot = tracking === 'C' ? `L-${between(25_001, 26_999)}` : null;
  const single = tracking === 'S' && total > 1 ? 1 : 0;
  const away = isSpread ? Math.floor((total - single) / 4) : 0;
  const at = (store: Store | undefined, onHand: number, serial: string | null = null) =>
    store ? [{ article, store, bin: pick(store.shelves), lot, serial, onHand }] : [];
  return [
    ...at(home, total - away - single),
    ...(isSpread ? at(other, away) : []),
    ...(single ? at(home, single, `SN-${article.artid}-${between(100, 999)}`) : []),
  ];
}
