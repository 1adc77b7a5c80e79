import { random } from '../../random.ts';
import type { SeedRow, SeedTable } from '../../row.ts';
import { compactDay, compactTime, daysAgo, withComma } from '../../time.ts';
import { anyWorkOrder } from '../../work-order-numbers.ts';
import { technicians } from '../master/people.ts';
import type { Ledger } from './ledger.ts';
import { levels } from './levels.ts';

export const DISPENSES = 240;
const FIRST = 7_001;
const oils = levels.filter(({ article }) => article.group === 'G-LUBE');
const parts = levels.filter(({ article }) => article.kind === 'TEIL');
/** Item of the first voucher. */
const known = oils.find(({ lot, onHand }) => lot !== null && onHand > 100);

/** Vouchers of the tool counter and the oil store, the newest first; the ledger records the quantities taken. */
export function dispenses(ledger: Ledger): { next(days: number): void; table(): SeedTable } {
  const { between, chance, pick } = random('ausgabe');
  const rows: SeedRow[] = [];
  return {
    next(days) {
      const ausgnr = FIRST + DISPENSES - 1 - rows.length;
      const isOil = chance(0.6) || ausgnr === FIRST;
      const level = ausgnr === FIRST && known ? known : pick(isOil ? oils : parts);
      const { article, store, bin, lot } = level;
      // Half a liter has a value in whole cents, so that the values of movements add up to that of the stock.
      const menge = isOil ? between(1, 40) / (article.cents % 2 === 0 ? 2 : 1) : between(1, 6);
      const aufid = chance(0.7) ? anyWorkOrder({ between }) : null;
      const persnr = pick(technicians);
      const zeichen = `DIS-${ausgnr}`;
      const source = { urspr_art: aufid === null ? null : 'W', urspr: aufid };
      ledger.book(level, { art: 'AB', menge: -menge, days, persnr, zeichen, ...source });
      rows.push({
        ausgnr,
        kz: zeichen,
        beschr: isOil ? pick(['Oil change', 'Topped up', 'Leak']) : null,
        artid: article.artid,
        aufid,
        persnr,
        platznr: store.platznr,
        fachnr: bin.fachnr,
        zapf: isOil ? `PUMP-${between(1, 4)}` : 'COUNTER',
        menge,
        eh: article.unit,
        preis: withComma(article.cents / 100),
        waehr: 'EUR',
        zaehlerstand: isOil && chance(0.6) ? between(10_000, 900_000) / 10 : null,
        zeit: compactTime(daysAgo(days)),
        zeichen: chance(0.3) ? `V-${between(1_000, 9_999)}` : null,
        charge: lot,
        bem: chance(0.1) ? 'Can returned' : null,
        angelegt: compactDay(daysAgo(days)),
        changed_at: daysAgo(days).toISOString(),
      });
    },
    table: () => ({ table: 'ausgabe', rows: rows.reverse() }),
  };
}
