import { type Random, random } from '../../random.ts';
import type { SeedRow, SeedTable } from '../../row.ts';
import { compactDay, compactTime, daysAgo } from '../../time.ts';
import { anyWorkOrder } from '../../work-order-numbers.ts';
import { buyers, foremen, technicians } from '../master/people.ts';
import { TRANSIT } from '../master/places.ts';
import { stores } from './bins.ts';
import { type Head, isUnderWay, type Kind, type Line, levelsOf, linesOf } from './document-lines.ts';
import type { Ledger } from './ledger.ts';

export const DOCUMENTS = 480;
const FIRST = 5_001;
/** The newest ones are not posted yet. */
const OPEN = 50;

const kinds: Readonly<Record<Kind, number>> = { WE: 18, WA: 16, UM: 14, KO: 10, IN: 12, KM: 18, EL: 12 };
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
const busy = stores.filter((store) => (levelsOf.get(store) ?? []).length >= 5);

/** Inventory documents, the newest first; posted ones are added to the ledger. */
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
  const drawn = weighted(kinds);
  // Some transfers are always under way.
  const isMoving = index < OPEN && index % 20 === 4;
  const kind = isMoving ? 'UM' : drawn;
  const source = { WE: 'B', KM: 'W', WA: chance(0.5) ? 'W' : null, UM: null, KO: null, IN: null, EL: null }[kind];
  return {
    lbnr: FIRST + DOCUMENTS - 1 - index,
    kind,
    status: index < OPEN ? (chance(0.6) && !isMoving ? 'E' : 'A') : index % 15 === 7 ? 'S' : 'B',
    store: pick(busy),
    days,
    urspr_art: source,
    urspr: source === 'B' ? 4_500_001_001 + between(0, 1_499) : source === 'W' ? anyWorkOrder({ between }) : null,
    lagerist: pick(technicians),
    konto: kind === 'WA' || kind === 'KO' || kind === 'IN' ? 55_030 : null,
    grund: kind === 'KO' ? pick(reasons) : null,
  };
}

function document(head: Head, lines: readonly Line[], random_: Random): SeedRow {
  const { lbnr, kind, status, days, urspr_art, urspr, konto, grund } = head;
  const { between, chance, pick } = random_;
  const at = daysAgo(days);
  return {
    lbnr,
    belegnr: `INV-${lbnr}`,
    beschr: purposes[kind],
    art: kind,
    status,
    ...placesOf(kind, lines),
    ...peopleAndTimes(head, random_),
    ...planOf(head),
    ...shipping(kind === 'UM' && chance(0.4), random_),
    ...sums(head, lines),
    ...{ urspr_art, urspr, konto, grund },
    buchdat: status === 'B' || chance(0.3) ? compactDay(at) : null,
    zeichen: kind === 'WE' ? `DN-${between(10_000, 99_999)}` : lbnr % 6 === 0 ? `REQ-${lbnr + 2_000}` : null,
    kz_blind: kind === 'IN' ? pick(['J', 'N']) : null,
    positionen: lines.map(({ row }) => row),
    waehr: 'EUR',
    kst: chance(0.3) ? '4100' : null,
    schluessel: chance(0.1) ? pick(['X-OPEX', 'X-CAPEX X-ENER']) : null,
    storno_grund: status === 'S' ? pick(['S-DUP', 'S-NOT', 'S-ERR']) : null,
    statustext: null,
    bem: chance(0.1) ? 'Use the small trolley' : null,
    angelegt: compactDay(daysAgo(days + 1)),
    changed_at: at.toISOString(),
  };
}

/** Source and destination of the goods; corrections and counts have one location only. */
function placesOf(kind: Kind, lines: readonly Line[]): SeedRow {
  const [first] = lines;
  const takes = ['WA', 'KM', 'UM', 'EL'].includes(kind);
  const brings = ['WE', 'UM', 'EL'].includes(kind);
  const store = first?.level.store;
  const bin = lines.length === 1 ? (first?.level.bin.fachnr ?? null) : null;
  const here = store?.platznr ?? null;
  return {
    platz_von: takes ? here : null,
    fach_von: kind === 'EL' ? (store?.arrivals.fachnr ?? null) : takes ? bin : null,
    platz_nach: brings ? (first?.to?.store.platznr ?? here) : null,
    fach_nach: destinationOf(kind, lines),
    platz_transit: kind === 'UM' ? TRANSIT : null,
    platznr: takes || brings ? null : here,
    fachnr: takes || brings ? null : bin,
  };
}

/** Bin that a document with one line brings the goods to; picked goods are brought to the staging area. */
function destinationOf(kind: Kind, [first, ...others]: readonly Line[]): number | null {
  if (kind === 'KM') return first?.level.store.staging.fachnr ?? null;
  if (others.length > 0) return null;
  if (kind === 'UM') return first?.to?.bin.fachnr ?? null;
  return kind === 'EL' ? (first?.level.bin.fachnr ?? null) : null;
}

/** Priority and wave of a task; reason and class of a count. */
function planOf({ kind, lbnr }: Head): SeedRow {
  const isTask = kind === 'KM' || kind === 'EL';
  const isCount = kind === 'IN';
  return {
    prio: isTask ? (lbnr % 5) + 1 : null,
    welle: kind === 'KM' ? `W-${Math.floor(lbnr / 8)}` : null,
    zaehlart: isCount ? (['Z', 'Z', 'J', 'S'][lbnr % 4] ?? null) : null,
    abc: isCount ? (['A', 'B', 'C'][lbnr % 3] ?? null) : null,
    kz_nachz: isCount ? (lbnr % 7 === 0 ? 'J' : 'N') : null,
  };
}

function peopleAndTimes(head: Head, { pick }: Random): SeedRow {
  const { kind, status, days, lagerist } = head;
  const isPosted = status === 'B';
  const at = daysAgo(days);
  const done = (which: Kind) => (isPosted && kind === which ? compactTime(at) : null);
  return {
    anforderer: ['WA', 'KM', 'UM'].includes(kind) ? pick(technicians) : null,
    freigeber: isPosted ? approverOf(head, pick) : null,
    lagerist: status === 'E' ? null : lagerist,
    zaehler: kind === 'IN' && isPosted ? pick(buyers) : null,
    plan_am: ['IN', 'KM', 'EL', 'UM'].includes(kind) ? compactTime(daysAgo(days + 0.5)) : null,
    entnommen_am: done('KM'),
    eingelagert_am: done('EL'),
    gezaehlt_am: done('IN'),
    eingefroren_am: kind === 'IN' ? compactTime(daysAgo(days + 0.6)) : null,
    versandt_am: kind === 'UM' && isUnderWay(head) ? compactTime(daysAgo(days + 0.1)) : null,
    erhalten_am: done('UM'),
    gebucht_am: isPosted ? at.toISOString() : null,
    storno_am: status === 'S' ? at.toISOString() : null,
  };
}

/** Corrections are approved by a foreman, as are some transfers and counts. */
function approverOf({ kind, lbnr }: Head, pick: Random['pick']): number | null {
  if (kind === 'KO') return pick(foremen);
  const isChecked = (kind === 'UM' || kind === 'IN') && lbnr % 3 === 0;
  return isChecked ? (foremen[lbnr % foremen.length] ?? null) : null;
}

function shipping(isSent: boolean, { between, pick }: Random): SeedRow {
  const nowhere = { versandart: null, la_name: null, la_strasse: null, la_plz: null, la_ort: null, la_lkz: null };
  const address = { la_strasse: 'Hafenstr. 4', la_plz: '20457', la_ort: 'Hamburg', la_lkz: 'DE' };
  const versandart = pick(['Shuttle', 'Forklift', 'Truck']);
  return isSent ? { versandart, la_name: `Gate ${between(1, 4)}`, ...address } : nowhere;
}

/** Values that the system would compute: progress, and quantity and value of the lines. */
function sums(head: Head, lines: readonly Line[]): SeedRow {
  const { kind } = head;
  const worth = lines.flatMap(({ cents }) => (cents === null ? [] : [cents]));
  return {
    fortschritt: progress(head, lines),
    mg_summe: kind === 'IN' ? null : lines.reduce((sum, { quantity }) => sum + quantity, 0),
    wert_ct: worth.length === 0 ? null : worth.reduce((sum, cents) => sum + cents, 0),
  };
}

/** O open, L in progress, F finished, K finished with a shortage; null for other kinds and cancelled documents. */
function progress(head: Head, lines: readonly Line[]): string | null {
  const { kind, status } = head;
  if (status === 'S' || !['KM', 'IN', 'EL', 'UM'].includes(kind)) return null;
  if (kind === 'UM') return status === 'B' ? 'F' : isUnderWay(head) ? 'L' : 'O';
  const begun = lines.filter(({ done }) => done !== null);
  const isShort = begun.some(({ done }) => done === 'less');
  if (status === 'B') return isShort ? 'K' : 'F';
  if (begun.length === 0) return status === 'A' ? 'L' : 'O';
  return isShort || begun.length < lines.length ? 'L' : 'F';
}
