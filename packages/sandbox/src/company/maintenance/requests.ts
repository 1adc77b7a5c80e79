import { type Random, random } from '../../random.ts';
import type { SeedRow, SeedTable } from '../../row.ts';
import { compactDay, compactTime, daysAgo, withComma } from '../../time.ts';
import { foremen, technicians } from '../master/people.ts';
import { shelfIn } from './asset-table.ts';
import { type Asset, assets, machines } from './assets.ts';
import type { WorkOrder } from './work-order.ts';

const COUNT = 250;
const FIRST = 86_001;

const statuses = { '00': 3, '10': 30, '20': 12, '30': 30, '90': 25 };
const faults: readonly (readonly [what: string, problem: string])[] = [
  ['squeaks', 'P-NOISE'],
  ['loses oil', 'P-LEAK'],
  ['does not start', 'P-STOP'],
  ['runs hot', 'P-HOT'],
  ['vibrates', 'P-VIB'],
  ['is too slow', 'P-SLOW'],
];
/** Tools on a shelf of the stores. */
const tools = assets.filter(({ sort, place, status }) => sort.art === 'W' && shelfIn(place) !== null && status < '80');
const assetBy = new Map(assets.map((asset) => [asset.anlnr, asset]));

/** Requests without an order, and one for each order that began as a request. */
export function requestTable(orders: readonly WorkOrder[]): SeedTable {
  const random_ = random('meldung');
  const own = Array.from({ length: COUNT }, (_, index) => {
    const machine = random_.pick(machines);
    const tool = index % 25 === 7 ? tools[index % tools.length] : undefined;
    return request(FIRST + index, tool ?? machine, random_);
  });
  const converted = orders.flatMap(({ aufid, meldnr, anlnr, reported }) => {
    const asset = assetBy.get(anlnr);
    if (meldnr === null || !asset) return [];
    return [{ ...request(meldnr, asset, random_, '40', reported + 0.1), aufid }];
  });
  return { table: 'meldung', rows: [...own, ...converted] };
}

function request(
  meldnr: number,
  asset: Asset,
  { between, chance, pick, weighted }: Random,
  status: keyof typeof statuses | '40' = weighted(statuses),
  days = between(status < '30' ? 1 : 5, status < '30' ? 14 : 600) + between(0, 1_439) / 1_440,
): SeedRow {
  const fault = pick(faults);
  const [what, problem] = asset.sort.art === 'W' ? (['shows wrong values', 'P-QUAL'] as const) : fault;
  const decided = daysAgo(Math.max(days - 0.4, 0.1)).toISOString();
  const decision = (...reached: string[]) => (reached.includes(status) ? decided : null);
  return {
    meldnr,
    meldkz: `WR-${meldnr}`,
    kurztext: `${asset.name} ${what}`,
    langtext: chance(0.6) ? pick(['Since the night shift', 'After a product change', 'Not for the first time']) : null,
    status,
    prio: weighted({ '1': 5, '2': 20, '3': 50, '4': 20, '5': 5 }),
    prio_text: chance(0.1) ? 'Before the audit' : null,
    anlnr: asset.anlnr,
    werknr: asset.place.werknr,
    platznr: asset.place.platznr,
    fachnr: asset.sort.art === 'W' ? shelfIn(asset.place) : null,
    melder_art: 'P',
    melder: pick(technicians),
    freigeber: status === '20' || status === '40' ? pick(foremen) : null,
    bearbeiter: status === '00' ? null : pick(foremen),
    team: pick(['T-MECH', 'T-ELEC', 'T-AUTO']),
    art: chance(0.5) ? 'CM' : null,
    problem,
    abl_grund: status === '30' ? pick(['J-NOFAULT', 'J-KNOWN', 'J-SELF', 'J-COST']) : null,
    storno_grund: status === '90' ? pick(['S-DUP', 'S-NOT', 'S-ERR']) : null,
    aufid: null,
    kontakt: chance(0.5) ? `Extension ${between(1_000, 9_999)}` : null,
    faellig: chance(0.4) ? compactTime(daysAgo(days - between(1, 7))) : null,
    kz_stillstand: problem === 'P-STOP' ? 'X' : ' ',
    soll_std: chance(0.3) ? withComma(between(1, 16) / 2) : null,
    gemeldet: compactTime(daysAgo(days)),
    freigabe_am: decision('20', '40'),
    ablehnung_am: decision('30'),
    storno_am: decision('90'),
    status_am: decision('20', '30', '40', '90'),
    statustext: null,
    bem: chance(0.1) ? 'Also happened in May' : null,
    angelegt: compactDay(daysAgo(days)),
    changed_at: status < '20' ? daysAgo(days).toISOString() : decided,
  };
}
