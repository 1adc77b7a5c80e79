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

/** The goods of all posted receipts, returns and shipments. */
export interface Goods {
  readonly arrivals: readonly Arrival[];
  readonly departures: readonly Departure[];
}

interface Event {
  readonly level: Level;
  readonly quantity: number;
  readonly movement: Omit<Movement, 'art' | 'menge'>;
}

/**
 * Movements of posted receipts, returns and shipments. The returned function books those of the last `days` days that it has not
 * booked yet. What arrived and is no longer in stock was used; shipped machines were made before.
 */
export function goods(ledger: Ledger, { arrivals, departures }: Goods): (days: number) => void {
  const left = [...received(arrivals), ...shipped(departures)].sort(
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
  const { days } = movement;
  const missing = quantity - ledger.before(level);
  if (missing > 0) ledger.book(level, { art: 'VB', menge: -missing, days });
  ledger.book(level, { ...movement, art: quantity > 0 ? 'ZU' : 'AB', menge: quantity });
  if (quantity < 0 && level.article.kind === 'FERT')
    ledger.book(level, { art: 'PR', menge: -quantity, days: days + 0.5 });
}

function received(arrivals: Goods['arrivals']): Event[] {
  return arrivals.map(({ wenr, posnr, code, level, quantity, arrived, receiver }) => ({
    level,
    quantity,
    movement: { days: arrived, urspr_art: 'E', urspr: wenr, urspr_pos: posnr, persnr: receiver, zeichen: code },
  }));
}

function shipped(departures: Goods['departures']): Event[] {
  return departures.map(({ lfnr, posnr, level, quantity, left, packer }) => ({
    level,
    quantity: -quantity,
    movement: { days: left, urspr_art: 'L', urspr: lfnr, urspr_pos: posnr, persnr: packer, zeichen: `SH-${lfnr}` },
  }));
}
