import { random } from '../../random.ts';
import type { SeedRow, SeedTable } from '../../row.ts';
import { compactDay, compactTime, daysAgo, withComma } from '../../time.ts';
import { customers, type TradingRecord, vendors } from '../master/partners.ts';
import { buyers } from '../master/people.ts';
import { purchaseOrders } from '../orders/purchase-orders.ts';

const FIRST = 610_101;
const COUNT = 130;

/** Name of a contract by its kind. */
const names = {
  E: 'Framework agreement',
  V: 'Supply agreement',
  D: 'Cleaning and disposal',
  M: 'Forklift lease',
  W: 'Full maintenance',
};
const companies = ['001', '010', '020', '030'];

/** 130 contracts: those that purchase orders draw on, and others with vendors and customers. */
export function contractTable(): SeedTable {
  const random_ = random('vertrag');
  const drawn = new Map(purchaseOrders.map((order) => [order.related.vtrnr, order]));
  const rows = Array.from({ length: COUNT }, (_, index) => {
    const vtrnr = FIRST + index;
    const order = drawn.get(vtrnr);
    if (order) return contract(vtrnr, 'E', order.vendor, order.ordered, random_);
    const art = random_.pick(['V', 'D', 'M', 'W'] as const);
    return contract(vtrnr, art, random_.pick(art === 'V' ? customers : vendors), random_.between(1, 900), random_);
  });
  return { table: 'vertrag', rows };
}

/** A contract that was in force the given number of days ago. */
function contract(
  vtrnr: number,
  art: keyof typeof names,
  party: TradingRecord,
  inForce: number,
  { between, chance, pick, weighted }: ReturnType<typeof random>,
): SeedRow {
  const begin = inForce + between(10, 300);
  const end = chance(0.9) ? begin - between(1, 3) * 365 : null;
  const isOver = end !== null && end > 0;
  const isDraft = art !== 'E' && !isOver && chance(0.2);
  const status = isDraft ? pick(['E', 'U', 'S']) : isOver ? weighted({ G: 4, K: 1 }) : 'L';
  const signed = begin + between(3, 40);
  return {
    vtrnr,
    vtrkz: `CT-${101 + vtrnr - FIRST}`,
    bez: `${names[art]} ${party.name}`,
    beschr: chance(0.3) ? 'Call-offs by phone at fixed prices' : null,
    art,
    status,
    partei_art: art === 'V' ? 'K' : 'L',
    partei: party.number,
    mand: pick(companies),
    beginn: compactDay(daysAgo(begin)),
    ende: end === null ? null : compactDay(daysAgo(end)),
    verlaengerung: end !== null && chance(0.6) ? compactDay(daysAgo(end + 90)) : null,
    frist_tage: chance(0.8) ? pick([30, 90, 180]) : null,
    kz_auto: chance(0.5) ? 'J' : 'N',
    unterschr_am: isDraft ? null : compactTime(daysAgo(signed)),
    unterschr_von: isDraft ? null : pick(['Dana Porter', 'Luis Ortega', 'Ines Hartmann', 'Piotr Nowak']),
    wert: chance(0.85) ? withComma(between(4, 400) * 1_000) : null,
    waehr: party.currency,
    bedingungen: chance(0.6) ? 'Prices hold for six months; 0.5 % penalty per week of delay' : null,
    erfuellung: isDraft ? 'U' : isOver ? pick(['E', 'E', 'V']) : pick(['T', 'T', 'U', 'X']),
    betreuer: pick(buyers),
    bem: chance(0.15) ? 'Compare with two other offers before renewal' : null,
    angelegt: compactDay(daysAgo(signed + 10)),
    changed_at: daysAgo(Math.min(between(1, 400) + between(0, 1_439) / 1_440, signed + 9)).toISOString(),
  };
}
