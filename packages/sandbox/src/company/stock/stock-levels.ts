import { random } from '../../random.ts';
import type { SeedRow, SeedTable } from '../../row.ts';
import { daysAgo, dottedDay, withComma } from '../../time.ts';
import { suppliersOf } from '../master/items.ts';
import type { Ledger } from './ledger.ts';
import { isConsigned, type Level, levels, stateOf } from './levels.ts';

/** Most stock is free; some is inspected, blocked, in transit, or, for purchased items, owned by its vendor. */
function stateColumns(level: Level): SeedRow {
  const owner = isConsigned(level) ? suppliersOf(level.article.group)[0] : undefined;
  return { zustand: stateOf(level), eignernr: owner?.number ?? null };
}

/** Stock of today, with the dates of its last movement and count in the ledger. */
export function levelTable(ledger: Ledger): SeedTable {
  const { between, chance } = random('bestand-data');
  const rows = levels.map((level): SeedRow => {
    const { article, store, bin, onHand } = level;
    const limit = Math.max(10, Math.ceil(onHand / 4));
    const moved = ledger.lastMoved(level);
    const counted = ledger.lastCounted(level);
    return {
      bestandnr: level.bestandnr,
      kz: `ST-${level.bestandnr}`,
      beschr: level.serial ? 'Demonstration machine' : null,
      artid: article.artid,
      platznr: store.platznr,
      fachnr: bin.fachnr,
      charge: level.lot,
      seriennr: level.serial,
      ...stateColumns(level),
      eh: article.unit,
      menge: onHand,
      min_mg: level.serial ? null : limit,
      max_mg: level.serial ? null : limit * 10,
      melde: level.serial ? null : limit * 2,
      bestell_mg: chance(0.7) ? limit * 4 : null,
      kosten: withComma(article.cents / 100),
      waehr: 'EUR',
      verfall: level.lot ? dottedDay(daysAgo(-between(30, 900))) : null,
      inventur_am: counted === null ? null : daysAgo(counted).toISOString(),
      bewegt_am: moved === null ? null : daysAgo(moved).toISOString(),
      angelegt: '20191001',
      changed_at: daysAgo(moved ?? 420).toISOString(),
    };
  });
  return { table: 'bestand', rows };
}
