import type { SeedRow, SeedTable } from '../../row.ts';
import { compactDay, daysAgo } from '../../time.ts';
import type { Bin, Store } from './bins.ts';
import { isConsigned, type Level, levels } from './levels.ts';

const FIRST = 30_001;
/** Days since the stock ledger began. */
export const OPENING = 430;

/** Data of a movement besides item, location and quantity. */
export interface Movement {
  readonly art: string;
  readonly menge: number;
  readonly days: number;
  readonly to?: { readonly store: Store; readonly bin: Bin };
  readonly lbnr?: number | null;
  readonly urspr_art?: string | null;
  readonly urspr?: number | null;
  readonly urspr_pos?: number | null;
  readonly grund?: string | null;
  readonly konto?: number | null;
  readonly persnr?: number | null;
  readonly zeichen?: string | null;
  readonly beschr?: string | null;
  readonly bem?: string | null;
}

/** The stock ledger, written backwards from today, so that every balance is consistent with today's stock. */
export interface Ledger {
  /** Stock of the level before all movements posted so far. */
  before(level: Level): number;
  /** Posts a movement that precedes all those posted so far; added goods must be in stock afterwards. */
  book(level: Level, movement: Movement): void;
  /** Posts goods that only passed through a bin: in, and out again within an hour. */
  pass(level: Level, bin: Bin, into: Movement, out: Movement): void;
  lastMoved(level: Level): number | null;
  lastCounted(level: Level): number | null;
  /** All movements, oldest first, starting with the opening stock. */
  table(): SeedTable;
}

export function openLedger(): Ledger {
  const left = new Map(levels.map((level) => [level, level.onHand]));
  const moved = new Map<Level, number>();
  const counted = new Map<Level, number>();
  const entries: Entry[] = [];

  function book(level: Level, movement: Movement): void {
    const after = left.get(level) ?? 0;
    if (movement.menge > after) throw new Error(`Item ${level.article.artid} never had a stock of ${movement.menge}`);
    entries.push({ level, bin: level.bin, movement });
    left.set(level, after - movement.menge);
    if (!moved.has(level)) moved.set(level, movement.days);
    if (movement.art === 'IN' && !counted.has(level)) counted.set(level, movement.days);
  }

  return {
    before: (level) => left.get(level) ?? 0,
    book,
    pass(level, bin, into, out) {
      entries.push({ level, bin, movement: out }, { level, bin, movement: into });
    },
    lastMoved: (level) => moved.get(level) ?? null,
    lastCounted: (level) => counted.get(level) ?? null,
    table() {
      for (const level of [...levels].reverse()) {
        const menge = left.get(level) ?? 0;
        if (menge > 0) book(level, { art: 'ZU', menge, days: OPENING, beschr: 'Opening stock', zeichen: 'Conversion' });
      }
      return { table: 'bewegung', rows: numbered(entries.reverse()) };
    },
  };
}

/** A movement of a level in one of the bins that its goods have been in. */
interface Entry {
  readonly level: Level;
  readonly bin: Bin;
  readonly movement: Movement;
}

/** Rows of movements in chronological order, with the balance after each. Movements at the same time keep the given order. */
function numbered(entries: readonly Entry[]): SeedRow[] {
  const balances = new Map<string, number>();
  return entries
    .toSorted((one, other) => other.movement.days - one.movement.days)
    .map(({ level, bin, movement }, index): SeedRow => {
      const bewnr = FIRST + index;
      const place = `${level.bestandnr} ${bin.fachnr}`;
      const balance = (balances.get(place) ?? 0) + movement.menge;
      balances.set(place, balance);
      return { bewnr, kz: `MV-${bewnr}`, ...row(level, bin, movement, balance) };
    });
}

function row(level: Level, bin: Bin, movement: Movement, saldo: number) {
  const { article, store, lot, serial } = level;
  const { art, menge, days, to, ...more } = movement;
  const at = daysAgo(days);
  const centsOf = (quantity: number) => Math.round(quantity * article.cents);
  return {
    beschr: more.beschr ?? null,
    artid: article.artid,
    art,
    menge,
    eh: article.unit,
    platznr: store.platznr,
    fachnr: bin.fachnr,
    platz_nach: to?.store.platznr ?? null,
    fach_nach: to?.bin.fachnr ?? null,
    charge: lot,
    seriennr: serial,
    kosten_ct: article.cents,
    waehr: 'EUR',
    wert: isConsigned(level) ? 0 : (centsOf(saldo) - centsOf(saldo - menge)) / 100,
    wert_waehr: 'EUR',
    zeit: at.toISOString(),
    lbnr: more.lbnr ?? null,
    urspr_art: more.urspr_art ?? null,
    urspr: more.urspr ?? null,
    urspr_pos: more.urspr_pos ?? null,
    grund: more.grund ?? null,
    konto: more.konto ?? null,
    persnr: more.persnr ?? null,
    saldo,
    zeichen: more.zeichen ?? null,
    bem: more.bem ?? null,
    angelegt: compactDay(at),
    changed_at: at.toISOString(),
  };
}
