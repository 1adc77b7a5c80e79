import { random } from '../../random.ts';
import type { SeedTable } from '../../row.ts';
import { binTable } from './bins.ts';
import { DISPENSES, dispenses } from './dispenses.ts';
import { DOCUMENTS, documents } from './documents.ts';
import { type Goods, goods } from './goods.ts';
import { type Ledger, OPENING, openLedger } from './ledger.ts';
import { levels } from './levels.ts';
import { levelTable } from './stock-levels.ts';
import { supplyOptionTable } from './supply-options.ts';

/** Days between one document and the previous one. */
const STEP = 0.85;

/** Bins, stock, stock ledger and inventory documents of a little more than a year, generated backwards from today. */
export function stockTables(moved: Goods): SeedTable[] {
  const ledger = openLedger();
  const papers = documents(ledger);
  const vouchers = dispenses(ledger);
  const loose = looseMovements(ledger);
  const moveGoods = goods(ledger, moved);
  for (let index = 0; index < DOCUMENTS; index++) {
    const days = 0.2 + index * STEP;
    moveGoods(days);
    papers.next(days);
    const between = days + STEP / 2;
    moveGoods(between);
    if (index % (DOCUMENTS / DISPENSES) === 0) vouchers.next(between);
    else loose(between);
  }
  moveGoods(OPENING - 1);
  const diary = ledger.table();
  return [binTable(), levelTable(ledger), supplyOptionTable(), papers.table(), diary, vouchers.table()];
}

/** Movements without a document, as posted by terminals in production. */
function looseMovements(ledger: Ledger): (days: number) => void {
  const { between, pick } = random('bewegung');
  const machines = levels.filter(({ article, serial }) => article.kind === 'FERT' && !serial);
  return (days) => {
    const level = pick(levels);
    const art = pick(['VB', 'VB', 'AU', 'RK', 'PR']);
    const made = machines.find((machine) => ledger.before(machine) > 0);
    if (art === 'PR' && made) ledger.book(made, { art, menge: 1, days });
    else if (art === 'RK' && ledger.before(level) >= 2) ledger.book(level, { art, menge: between(1, 2), days });
    else
      ledger.book(level, {
        art: art === 'AU' ? art : 'VB',
        menge: -between(1, 5),
        days,
        bem: art === 'AU' ? 'Bent' : null,
      });
  };
}
