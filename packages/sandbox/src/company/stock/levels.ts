import { type Random, random } from '../../random.ts';
import { articles, itemTable } from '../master/items.ts';
import { type Bin, type Store, stores } from './bins.ts';

const FIRST = 10_001;
const PLANTS = 1_070;
const KNOWN = 30_118;

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

const inPlants = stores.filter(({ werknr }) => werknr < PLANTS);

/** Today's stock; that of each item adds up to its quantity. */
export const levels: readonly Level[] = everything();

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
  const home = article.artid === KNOWN ? inPlants[0] : pick(inPlants);
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
