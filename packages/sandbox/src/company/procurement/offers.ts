import { random } from '../../random.ts';
import type { SeedRow } from '../../row.ts';
import { compactDay, daysAgo } from '../../time.ts';

const { between, chance } = random('angebote');

/** What the invited vendors offered, per vendor and position; `winner` was awarded, null while nothing is decided. */
export function offers(
  lines: readonly { readonly pos: number; readonly menge: number; readonly price: number }[],
  { vendors, winner, issued }: { vendors: readonly number[]; winner: number | null; issued: number },
): SeedRow[] {
  return vendors.flatMap((vendor) => {
    const declined = vendor !== winner && chance(0.15);
    const came = Math.max(issued - between(2, 12), 0);
    const lieferzeit = between(5, 60);
    return lines.map(
      ({ pos, menge, price }): SeedRow => ({
        pos,
        lf: `V-${vendor}`,
        waehr: null,
        stand: declined ? 'A' : winner === null ? 'O' : vendor === winner ? 'Z' : 'N',
        menge: declined ? null : menge,
        preis: declined ? null : vendor === winner ? price : Math.round(price * between(101, 125)) / 100,
        lieferzeit: declined ? null : lieferzeit,
        eingang: compactDay(daysAgo(came)),
        gueltig: declined ? null : compactDay(daysAgo(came - 60)),
        text: chance(0.1) ? 'Free delivery' : null,
      }),
    );
  });
}
