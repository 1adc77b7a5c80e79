import type { Random } from '../../random.ts';
import type { SeedRow } from '../../row.ts';
import { withComma } from '../../time.ts';
import { type Store, stores } from './bins.ts';
import type { Ledger, Movement } from './ledger.ts';
import { isConsigned, type Level, levels } from './levels.ts';

/** Receipt, issue, transfer, correction, count, picking, putting away. */
export type Kind = 'WE' | 'WA' | 'UM' | 'KO' | 'IN' | 'KM' | 'EL';

/** Data of a document that applies to all its lines. Its status is E entered, A in progress, B posted or S cancelled. */
export interface Head {
  readonly lbnr: number;
  readonly kind: Kind;
  readonly status: 'E' | 'A' | 'B' | 'S';
  readonly store: Store;
  readonly days: number;
  readonly urspr_art: string | null;
  readonly urspr: number | null;
  readonly lagerist: number;
  readonly konto: number | null;
  readonly grund: string | null;
}

export interface Line {
  readonly row: SeedRow;
  readonly level: Level;
  /** Destination of a transfer. */
  readonly to?: Level;
  /** Quantity to move; 0 in a count. */
  readonly quantity: number;
  /** Value in cents; for a count, the value of the difference, or null while it is open. */
  readonly cents: number | null;
  /** Result of picking or counting; null if it is not done. */
  readonly done: 'all' | 'less' | null;
}

/** Stock of each store, except single machines. */
export const levelsOf = new Map(
  stores.map((store) => [store, levels.filter((level) => level.store === store && !level.serial)]),
);

/** Levels of an item in two stores of a hall, the fuller one first. */
const pairs = levels.flatMap((from) => {
  const to = levels.find(({ article, store }) => article === from.article && store !== from.store);
  const isOurs = to && !isConsigned(from) && !isConsigned(to);
  return isOurs && !from.serial && from.onHand > to.onHand ? [{ from, to }] : [];
});

/** Lines with different items that are in stock in the store; those of posted documents are added to the ledger. */
export function linesOf(head: Head, ledger: Ledger, random_: Random): readonly Line[] {
  const { between, pick } = random_;
  const inStore = (levelsOf.get(head.store) ?? []).filter((level) => ledger.before(level) > 0);
  const there: readonly { from: Level; to?: Level }[] =
    head.kind === 'UM' ? pairs.filter(({ to }) => ledger.before(to) > 0) : inStore.map((from) => ({ from }));
  const first = pick(there);
  const same = there.filter(({ from }) => from.store === first.from.store);
  const chosen = new Set([first, ...Array.from({ length: between(0, 4) }, () => pick(same))]);
  return [...chosen].map(({ from, to }, index) => {
    const line = lineOf(head, from, to, index + 1, ledger, random_);
    if (head.status === 'B') post(head, line, ledger);
    return line;
  });
}

function lineOf(head: Head, level: Level, to: Level | undefined, pos: number, ledger: Ledger, random_: Random): Line {
  const { article, bin, lot, store } = level;
  const isHere = head.kind === 'IN' || head.kind === 'KO';
  const isArrival = head.kind === 'WE' || head.kind === 'EL';
  const quantity = head.kind === 'IN' ? 0 : quantityOf(head, level, to, ledger, random_);
  const found = head.kind === 'IN' ? countOf(head, ledger.before(level), random_) : { soll: null, gezaehlt: null };
  const variance = found.gezaehlt === null ? null : found.gezaehlt - found.soll;
  const taken = head.kind === 'KM' && isDone(head, random_) ? pickedOf(quantity, random_) : null;
  const row = {
    ...{ pos, artnr: `IT-${article.artid}`, text: article.name, eh: article.unit },
    menge: head.kind === 'IN' ? null : quantity,
    ...found,
    abw: variance,
    abwwert: variance === null ? null : Math.round(variance * article.cents) / 100,
    entnommen: taken,
    eingelagert: head.kind === 'EL' && head.status === 'B' ? quantity : null,
    versandt: head.kind === 'UM' && isUnderWay(head) ? quantity : null,
    erhalten: head.kind === 'UM' && head.status === 'B' ? quantity : null,
    fach: isHere ? bin.kz : null,
    fach_von: isHere || head.kind === 'WE' ? null : head.kind === 'EL' ? store.arrivals.kz : bin.kz,
    fach_nach: isArrival ? bin.kz : (to?.bin.kz ?? null),
    ...{
      charge: lot,
      seriennr: serialsOf(article, quantity || (found.gezaehlt ?? 0)),
      kosten: withComma(article.cents / 100),
    },
    grund: reasonOf(head, pos, { variance, isShort: taken !== null && taken < quantity }),
    bem: random_.chance(0.1) ? 'Upper shelf' : null,
  };
  const moved = head.kind === 'IN' ? variance : quantity;
  const less = taken !== null && taken < quantity;
  const done = taken === null && variance === null ? null : less ? 'less' : 'all';
  return { row, level, ...(to ? { to } : {}), quantity, cents: moved === null ? null : moved * article.cents, done };
}

/** Reason for a difference or shortage, and for a correction whose reason differs from that of its document. */
function reasonOf(
  { kind }: Head,
  pos: number,
  { variance, isShort }: { variance: number | null; isShort: boolean },
): string | null {
  if (variance) return 'N-CNT';
  if (isShort) return 'N-LOSS';
  return kind === 'KO' && pos === 2 ? 'N-EXP' : null;
}

/** Serial numbers of machines, at most the first five, as the system stores them; null for other items. */
function serialsOf({ artid, kind }: Level['article'], quantity: number): string | null {
  const count = Math.min(Math.abs(quantity), 5);
  if (kind !== 'FERT' || count === 0) return null;
  return Array.from({ length: count }, (_, index) => `SN-${artid}-${101 + index}`).join(';');
}

/** Whether the goods of a transfer have left. */
export function isUnderWay({ status, lbnr }: Head): boolean {
  return status === 'B' || (status === 'A' && lbnr % 2 === 0);
}

/** Added goods must still be in stock afterwards, because the ledger is written backwards. */
function quantityOf({ kind }: Head, level: Level, to: Level | undefined, ledger: Ledger, { between }: Random): number {
  const most = Math.max(1, Math.min(ledger.before(to ?? level), 60));
  return kind === 'KO' ? between(-5, Math.min(5, most)) || -1 : between(1, most);
}

/** A posted count has resulted in today's stock; a count in progress may differ from the books. */
function countOf(head: Head, there: number, random_: Random): { soll: number; gezaehlt: number | null } {
  const { between, pick } = random_;
  if (head.status === 'B') return { soll: Math.max(0, there + pick([0, 0, 0, 1, 2, -1, -3])), gezaehlt: there };
  return { soll: there, gezaehlt: isDone(head, random_) ? Math.max(0, there + between(-2, 2)) : null };
}

function pickedOf(quantity: number, { between, chance }: Random): number {
  return Math.max(1, quantity - (chance(0.1) ? between(1, 3) : 0));
}

function isDone({ status }: Head, { chance }: Random): boolean {
  return status === 'B' || (status === 'A' && chance(0.5));
}

/** Posts a line as posting its document would. */
function post(head: Head, { level, to, quantity, row }: Line, ledger: Ledger): void {
  const { kind, lbnr, days, urspr_art, urspr, konto, lagerist, grund } = head;
  const common = { days, lbnr, urspr_art, urspr, konto, persnr: lagerist, zeichen: `INV-${lbnr}` };
  const reason = row.grund ? String(row.grund) : grund;
  const one = (art: string, menge: number): Movement => ({ ...common, art, menge, grund: reason });
  const variance = Number(row.abw);
  if (kind === 'WE') ledger.book(level, one('ZU', quantity));
  else if (kind === 'WA') ledger.book(level, one('AB', -quantity));
  else if (kind === 'KM') ledger.book(level, one('AB', -Number(row.entnommen)));
  else if (kind === 'KO') ledger.book(level, one('KO', quantity));
  else if (kind === 'EL') putAway(level, one('UZ', quantity), ledger);
  else if (to) {
    ledger.book(to, { ...one('UZ', quantity), to: level });
    ledger.book(level, { ...one('UA', -quantity), to });
  } else if (variance !== 0) ledger.book(level, one('IN', variance));
}

/** Goods that arrived an hour earlier are moved from the receiving area to their shelf. */
function putAway(level: Level, movement: Movement, ledger: Ledger): void {
  const { arrivals } = level.store;
  ledger.book(level, { ...movement, to: { store: level.store, bin: arrivals } });
  const arrived = { art: 'ZU', menge: movement.menge, days: movement.days + 1 / 24, beschr: 'Arrived by lorry' };
  ledger.pass(level, arrivals, arrived, { ...movement, art: 'UA', menge: -movement.menge, to: level });
}
