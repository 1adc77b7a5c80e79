import { type Random, random } from '../../random.ts';
import type { SeedRow, SeedTable } from '../../row.ts';
import { compactDay, compactTime, daysAgo, withComma } from '../../time.ts';
import { buyers, foremen, technicians } from '../master/people.ts';
import { type Store, stores } from './bins.ts';
import type { Ledger, Movement } from './ledger.ts';
import { type Level, levels } from './levels.ts';

export const DOCUMENTS = 480;
const FIRST = 5_001;

const kinds = { WE: 18, WA: 16, UM: 14, KO: 10, IN: 12, KM: 18, EL: 12 };
type Kind = keyof typeof kinds;
type Status = 'E' | 'A' | 'B' | 'S';

const reasons = ['N-DAM', 'N-CNT', 'N-EXP', 'N-LOSS', 'N-FND', 'N-TEST', 'N-POST'];
const purposes: Readonly<Record<Kind, string>> = {
  WE: 'Delivery taken in',
  WA: 'Handed out at the counter',
  UM: 'Replenishment of the other store',
  KO: 'Correction',
  IN: 'Count of some shelves',
  KM: 'Parts for a work order',
  EL: 'Delivery put away',
};
const levelsOf = new Map(
  stores.map((store) => [store, levels.filter((level) => level.store === store && !level.serial)]),
);
const busy = stores.filter((store) => (levelsOf.get(store) ?? []).length >= 5);

/** Levels of an item in two stores of a hall, the fuller one first. */
const pairs = levels.flatMap((from) => {
  const to = levels.find(({ article, store }) => article === from.article && store !== from.store);
  return to && !from.serial && from.onHand > to.onHand ? [{ from, to }] : [];
});

interface Head {
  readonly lbnr: number;
  readonly kind: Kind;
  readonly status: Status;
  readonly store: Store;
  readonly days: number;
  readonly urspr_art: string | null;
  readonly urspr: number | null;
  readonly lagerist: number;
  readonly konto: number | null;
  readonly grund: string | null;
}

/** Documents of the warehouse, the newest first; what is posted goes into the ledger. */
export function documents(ledger: Ledger): { next(days: number): void; table(): SeedTable } {
  const random_ = random('lagerbeleg');
  const rows: SeedRow[] = [];
  return {
    next(days) {
      const head = headOf(rows.length, days, random_);
      rows.push(document(head, linesOf(head, ledger, random_), random_));
    },
    table: () => ({ table: 'lagerbeleg', rows: rows.reverse() }),
  };
}

function headOf(index: number, days: number, { between, chance, pick, weighted }: Random): Head {
  const kind = weighted(kinds);
  const source = { WE: 'B', KM: 'W', WA: chance(0.5) ? 'W' : null, UM: null, KO: null, IN: null, EL: null }[kind];
  return {
    lbnr: FIRST + DOCUMENTS - 1 - index,
    kind,
    status: index < 50 ? (chance(0.6) ? 'E' : 'A') : chance(0.07) ? 'S' : 'B',
    store: pick(busy),
    days,
    urspr_art: source,
    urspr: source === 'B' ? 4_500_001_001 + between(0, 1_499) : source === 'W' ? 400_010_001 + between(0, 9_999) : null,
    lagerist: pick(technicians),
    konto: kind === 'WA' || kind === 'KO' || kind === 'IN' ? 55_030 : null,
    grund: kind === 'KO' ? pick(reasons) : null,
  };
}

interface Line {
  readonly row: SeedRow;
  readonly level: Level;
  readonly quantity: number;
  readonly cents: number;
  readonly to?: Level;
}

/** Different items that lie in the store and of which there was something. */
function linesOf(head: Head, ledger: Ledger, random_: Random): readonly Line[] {
  const { between, pick } = random_;
  const inStore = (levelsOf.get(head.store) ?? []).filter((level) => ledger.before(level) > 0);
  const there: readonly { from: Level; to?: Level }[] =
    head.kind === 'UM' ? pairs.filter(({ to }) => ledger.before(to) > 0) : inStore.map((from) => ({ from }));
  const first = pick(there);
  const same = there.filter(({ from }) => from.store === first.from.store);
  const chosen = new Set([first, ...Array.from({ length: between(0, 4) }, () => pick(same))]);
  return [...chosen].map(({ from, to }, index) => lineOf(head, from, to, index + 1, ledger, random_));
}

function lineOf(head: Head, level: Level, to: Level | undefined, pos: number, ledger: Ledger, random_: Random): Line {
  const { between, chance, pick } = random_;
  const { kind, status } = head;
  const there = ledger.before(level);
  // A document that is not posted will need the stock of today; one that is posted has left it behind.
  const most = Math.max(1, Math.min(there, to ? ledger.before(to) : there, 60));
  const quantity = kind === 'KO' ? between(-5, Math.min(5, most)) || -1 : between(1, most);
  const isDone = status === 'B' || (status === 'A' && chance(0.5));
  const found = kind === 'IN' && isDone ? Math.max(0, status === 'B' ? there : there + between(-2, 2)) : null;
  const expected = kind === 'IN' ? (status === 'B' ? Math.max(0, there + pick([0, 0, 0, 1, 2, -1, -3])) : there) : null;
  const variance = found === null || expected === null ? null : found - expected;
  const taken = kind === 'KM' && isDone ? Math.max(1, quantity - (chance(0.1) ? between(1, 3) : 0)) : null;
  const row = {
    pos,
    artnr: `IT-${level.article.artid}`,
    text: level.article.name,
    menge: kind === 'IN' ? null : quantity,
    soll: expected,
    gezaehlt: found,
    abw: variance,
    entnommen: taken,
    eh: level.article.unit,
    fach_von: kind === 'WE' ? null : kind === 'EL' ? level.store.arrivals.kz : level.bin.kz,
    fach_nach: kind === 'WE' || kind === 'EL' ? level.bin.kz : (to?.bin.kz ?? null),
    charge: level.lot,
    seriennr: null,
    kosten: withComma(level.article.cents / 100),
    grund: variance ? 'N-CNT' : null,
    bem: chance(0.1) ? 'Upper shelf' : null,
  };
  const line = {
    row,
    level,
    quantity,
    cents: (kind === 'IN' ? (variance ?? 0) : quantity) * level.article.cents,
    ...(to ? { to } : {}),
  };
  if (status === 'B') post(head, line, taken ?? quantity, variance ?? 0, ledger);
  return line;
}

/** Books a line as the posting of its document would. */
function post(head: Head, { level, to }: Line, quantity: number, variance: number, ledger: Ledger): void {
  const { kind, lbnr, days, urspr_art, urspr, konto, lagerist, grund } = head;
  const common = { days, lbnr, urspr_art, urspr, konto, persnr: lagerist, zeichen: `INV-${lbnr}`, grund };
  const one = (art: string, menge: number): Movement => ({ ...common, art, menge });
  if (kind === 'WE') ledger.book(level, one('ZU', quantity));
  else if (kind === 'WA' || kind === 'KM') ledger.book(level, one('AB', -quantity));
  else if (kind === 'KO') ledger.book(level, one('KO', quantity));
  else if (kind === 'IN') variance !== 0 && ledger.book(level, { ...one('IN', variance), grund: 'N-CNT' });
  else if (to) {
    ledger.book(to, { ...one('UZ', quantity), to: level });
    ledger.book(level, { ...one('UA', -quantity), to });
  } else putAway(level, one('UZ', quantity), ledger);
}

/** Goods that arrived an hour earlier go from the area for arrivals to their shelf. */
function putAway(level: Level, movement: Movement, ledger: Ledger): void {
  const { arrivals } = level.store;
  ledger.book(level, { ...movement, to: { store: level.store, bin: arrivals } });
  const arrived = { art: 'ZU', menge: movement.menge, days: movement.days + 1 / 24, beschr: 'Arrived by lorry' };
  ledger.pass(level, arrivals, arrived, { ...movement, art: 'UA', menge: -movement.menge, to: level });
}

function document(head: Head, lines: readonly Line[], { chance, pick, between }: Random): SeedRow {
  const { lbnr, kind, status, days } = head;
  const store = lines[0]?.level.store ?? head.store;
  const target = lines[0]?.to?.store ?? store;
  const posted = status === 'B';
  const at = daysAgo(days);
  const done = posted ? compactTime(at) : null;
  const takes = 'WA KM UM EL'.includes(kind);
  const brings = 'WE UM EL'.includes(kind);
  const isMoved = kind === 'UM' && chance(0.4);
  const positions = lines.map(({ row }) => row);
  return {
    lbnr,
    belegnr: `INV-${lbnr}`,
    beschr: purposes[kind],
    art: kind,
    status,
    platz_von: takes ? store.platznr : null,
    fach_von: kind === 'EL' ? store.arrivals.fachnr : null,
    platz_nach: brings ? target.platznr : null,
    fach_nach: kind === 'EL' && lines.length === 1 ? (lines[0]?.level.bin.fachnr ?? null) : null,
    platznr: takes || brings ? null : store.platznr,
    fachnr: !(takes || brings) && lines.length === 1 ? (lines[0]?.level.bin.fachnr ?? null) : null,
    urspr_art: head.urspr_art,
    urspr: head.urspr,
    buchdat: posted || chance(0.3) ? compactDay(at) : null,
    grund: head.grund,
    zeichen: kind === 'WE' ? `DN-${between(10_000, 99_999)}` : null,
    anforderer: takes ? pick(technicians) : null,
    freigeber: kind === 'KO' && posted ? pick(foremen) : null,
    lagerist: status === 'E' ? null : head.lagerist,
    zaehler: kind === 'IN' && posted ? pick(buyers) : null,
    plan_am: 'IN KM EL'.includes(kind) ? compactTime(daysAgo(days + 0.5)) : null,
    entnommen_am: kind === 'KM' ? done : null,
    eingelagert_am: kind === 'EL' ? done : null,
    gezaehlt_am: kind === 'IN' ? done : null,
    kz_blind: kind === 'IN' ? pick(['J', 'N']) : null,
    versandart: isMoved ? pick(['Shuttle', 'Forklift', 'Truck']) : null,
    la_name: isMoved ? `Gate ${between(1, 4)}` : null,
    la_strasse: isMoved ? 'Hafenstr. 4' : null,
    la_plz: isMoved ? '20457' : null,
    la_ort: isMoved ? 'Hamburg' : null,
    la_lkz: isMoved ? 'DE' : null,
    positionen: positions,
    fortschritt: progress(kind, status, positions),
    mg_summe: kind === 'IN' ? null : lines.reduce((sum, { quantity }) => sum + quantity, 0),
    wert_ct:
      kind === 'IN' && lines.every(({ row }) => row.abw === null)
        ? null
        : lines.reduce((sum, { cents }) => sum + cents, 0),
    waehr: 'EUR',
    konto: head.konto,
    kst: chance(0.3) ? '4100' : null,
    projnr: null,
    schluessel: chance(0.1) ? pick(['X-OPEX', 'X-CAPEX X-ENER']) : null,
    gebucht_am: posted ? at.toISOString() : null,
    storno_am: status === 'S' ? at.toISOString() : null,
    storno_grund: status === 'S' ? pick(['S-DUP', 'S-NOT', 'S-ERR']) : null,
    statustext: null,
    bem: chance(0.1) ? 'Use the small trolley' : null,
    angelegt: compactDay(daysAgo(days + 1)),
    changed_at: at.toISOString(),
  };
}

/** How far picking, counting or putting away is: O(pen), L(eft half done), F(inished), K (too few found). */
function progress(kind: Kind, status: Status, lines: readonly SeedRow[]): string | null {
  if (!'KM IN EL'.includes(kind)) return null;
  const done = lines.filter(({ entnommen, gezaehlt }) => (kind === 'IN' ? gezaehlt : entnommen) !== null);
  const isShort = kind === 'KM' && done.some(({ entnommen, menge }) => Number(entnommen) < Number(menge));
  if (status === 'B') return isShort ? 'K' : 'F';
  if (done.length === 0) return status === 'A' ? 'L' : 'O';
  return isShort || done.length < lines.length ? 'L' : 'F';
}
