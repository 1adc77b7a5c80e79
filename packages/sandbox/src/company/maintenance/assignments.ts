import { random } from '../../random.ts';
import type { SeedRow, SeedTable } from '../../row.ts';
import { compactDay, compactTime, daysAgo } from '../../time.ts';
import { customers } from '../master/partners.ts';
import { technicians } from '../master/people.ts';
import { places } from '../master/places.ts';
import { userNumbers } from '../master/users.ts';
import { assets } from './assets.ts';

const COUNT = 160;
const FIRST = 81_001;
const lent = assets.filter(({ sort: { art }, status }) => 'FWI'.includes(art) && status < '80');

/** Assignments of tools, vehicles and panels, current and past. */
export function assignmentTable(): SeedTable {
  const { between, chance, pick, weighted } = random('anlzuord');
  const rows = Array.from({ length: COUNT }, (_, index): SeedRow => {
    const ziel = index === 0 ? 'P' : weighted({ P: 65, O: 20, K: 10, J: 5 });
    const out = between(2, 400) + between(6, 14) / 24;
    const days = between(1, 60);
    const isBack = index > 0 && out > days && chance(0.9);
    return {
      zuordnr: FIRST + index,
      zukz: `AA-${FIRST + index}`,
      beschr: index === 0 || chance(0.3) ? pick(['Overhaul of line 2', 'Replaces a broken one', 'Audit']) : null,
      anlnr: pick(lent).anlnr,
      ziel,
      persnr: ziel === 'P' ? pick(technicians) : null,
      platznr: ziel === 'O' ? pick(places).platznr : null,
      projnr: ziel === 'J' ? 600_101 + between(0, 71) : null,
      kdnr: ziel === 'K' ? pick(customers).number : null,
      von: compactTime(daysAgo(out)),
      soll_bis: index === 0 || chance(0.8) ? compactTime(daysAgo(out - days)) : null,
      bis: isBack ? daysAgo(out - days).toISOString() : null,
      status: isBack ? 'E' : 'A',
      zustand_aus: pick(['As new', 'Calibrated', 'Used']),
      zustand_ein: isBack ? pick(['Calibrated', 'Used', 'Display scratched']) : null,
      bennr: userNumbers[index % userNumbers.length] ?? null,
      bem: index === 0 || chance(0.1) ? 'With case and certificate' : null,
      angelegt: compactDay(daysAgo(out)),
      changed_at: daysAgo(isBack ? out - days : out).toISOString(),
    };
  });
  return { table: 'anlzuord', rows };
}
