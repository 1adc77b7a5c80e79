import { arrivedGoods } from '../procurement/receipts.ts';
import { departures } from '../sales/shipments.ts';
import type { Ledger, Movement } from './ledger.ts';
import type { Level } from './levels.ts';

interface Event {
  readonly level: Level;
  readonly quantity: number;
  readonly movement: Omit<Movement, 'art' | 'menge'>;
}

/**
 * Movements of posted receipts, returns and shipments. The returned function books those of the last `days` days that it has not
 * booked yet. What arrived and is no longer in stock was used; shipped machines were made before.
 */
export function goods(ledger: Ledger): (days: number) => void {
  const left = [...received(), ...shipped()].sort((one, other) => other.movement.days - one.movement.days);
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

function received(): Event[] {
  return arrivedGoods.map(({ wenr, posnr, code, level, quantity, arrived, receiver }) => ({
    level,
    quantity,
    movement: { days: arrived, urspr_art: 'E', urspr: wenr, urspr_pos: posnr, persnr: receiver, zeichen: code },
  }));
}

function shipped(): Event[] {
  return departures.map(({ lfnr, posnr, level, quantity, left, packer }) => ({
    level,
    quantity: -quantity,
    movement: { days: left, urspr_art: 'L', urspr: lfnr, urspr_pos: posnr, persnr: packer, zeichen: `SH-${lfnr}` },
  }));
}
