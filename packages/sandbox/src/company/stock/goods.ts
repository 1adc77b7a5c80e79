import type { Ledger, Movement } from './ledger.ts';
import type { Level } from './levels.ts';

/** Goods that a posted receipt brought into stock, or, if the quantity is negative, that a return took from it. */
export interface Arrival {
  readonly wenr: number;
  readonly posnr: number;
  readonly code: string;
  readonly level: Level;
  readonly quantity: number;
  /** Days ago. */
  readonly arrived: number;
  readonly receiver: number;
}

/** Goods that a shipment took from stock. */
export interface Departure {
  readonly lfnr: number;
  readonly posnr: number;
  readonly level: Level;
  readonly quantity: number;
  /** Days ago. */
  readonly left: number;
  readonly packer: number;
}

/** Goods that a finished production order brought into stock, and the material that it took. */
export interface Made {
  readonly faufnr: number;
  readonly level: Level;
  readonly quantity: number;
  /** Days ago. */
  readonly ended: number;
  readonly parts: readonly { readonly level: Level; readonly quantity: number }[];
}

/** The goods of all posted receipts, returns and shipments, and of all finished production orders. */
export interface Goods {
  readonly arrivals: readonly Arrival[];
  readonly departures: readonly Departure[];
  readonly made: readonly Made[];
}

interface Event {
  readonly level: Level;
  readonly quantity: number;
  readonly movement: Omit<Movement, 'menge'>;
}

/**
 * Movements of posted receipts, returns, shipments and finished production orders. The returned function posts movements of the
 * last `days` days that it has not posted yet. Goods that arrived and are no longer in stock were used; shipped machines were
 * made before they were shipped.
 */
export function goods(ledger: Ledger, { arrivals, departures, made }: Goods): (days: number) => void {
  const left = [...received(arrivals), ...shipped(departures), ...produced(made)].sort(
    (one, other) => other.movement.days - one.movement.days,
  );
  return (days) => {
    for (let next = left.at(-1); next && next.movement.days <= days; next = left.at(-1)) {
      book(next, ledger);
      left.pop();
    }
  };
}

function book({ level, quantity, movement }: Event, ledger: Ledger): void {
  const { art, days, urspr_art } = movement;
  const missing = quantity - ledger.before(level);
  if (missing > 0) ledger.book(level, { art: 'VB', menge: -missing, days });
  ledger.book(level, { ...movement, menge: quantity });
  if (art === 'AB' && urspr_art === 'L' && level.article.kind === 'FERT')
    ledger.book(level, { art: 'PR', menge: -quantity, days: days + 0.5 });
}

function received(arrivals: Goods['arrivals']): Event[] {
  return arrivals.map(({ wenr, posnr, code, level, quantity, arrived, receiver }) => ({
    level,
    quantity,
    movement: {
      ...{ art: quantity > 0 ? 'ZU' : 'AB', days: arrived, persnr: receiver, zeichen: code },
      ...{ urspr_art: 'E', urspr: wenr, urspr_pos: posnr },
    },
  }));
}

function shipped(departures: Goods['departures']): Event[] {
  return departures.map(({ lfnr, posnr, level, quantity, left, packer }) => ({
    level,
    quantity: -quantity,
    movement: {
      ...{ art: 'AB', days: left, persnr: packer, zeichen: `SH-${lfnr}` },
      ...{ urspr_art: 'L', urspr: lfnr, urspr_pos: posnr },
    },
  }));
}

/** Production takes its material an hour before its product is in stock. */
function produced(made: Goods['made']): Event[] {
  return made.flatMap(({ faufnr, level, quantity, ended, parts }) => {
    const source = { urspr_art: 'F', urspr: faufnr, zeichen: `MO-${faufnr}` };
    return [
      { level, quantity, movement: { art: 'PR', days: ended, ...source } },
      ...parts.map((part) => ({
        level: part.level,
        quantity: -part.quantity,
        movement: { art: 'AB', days: ended + 1 / 24, ...source },
      })),
    ];
  });
}
