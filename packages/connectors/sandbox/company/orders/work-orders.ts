import { random } from '../../random.ts';
import type { SeedRow, SeedTable } from '../../row.ts';
import { compactTime, daysAgo, withComma } from '../../time.ts';
import { vendors } from '../master/partners.ts';
import { foremen, technicians } from '../master/people.ts';
import { places } from '../master/places.ts';

const COUNT = 10_000;
const FIRST = 400_010_001;

/** How often each status occurs, and how many days ago such orders were reported, at most. */
const statuses = { '00': 4, '05': 2, '10': 8, '15': 3, '20': 5, '30': 3, '35': 1, '40': 12, '50': 58, '90': 4 };
const age: Readonly<Record<keyof typeof statuses, number>> = {
  '00': 10,
  '05': 15,
  '10': 30,
  '15': 30,
  '20': 40,
  '30': 60,
  '35': 60,
  '40': 120,
  '50': 1_400,
  '90': 900,
};
const machines = [
  'conveyor',
  'case packer',
  'labeller',
  'palletizer',
  'compressor',
  'pump',
  'welding robot',
  'press',
  'lathe',
  'cooling unit',
];
const jobs: readonly (readonly [string, string, string, string, string])[] = [
  ['Replace bearing of', 'CM', 'P-NOISE', 'F-BRG', 'R-REPL'],
  ['Replace seal of', 'CM', 'P-LEAK', 'F-SEAL', 'R-REPL'],
  ['Lubricate', 'LUB', 'P-NOISE', 'F-GEAR', 'R-LUBE'],
  ['Inspect', 'INSP', 'P-VIB', 'F-SENS', 'R-ADJ'],
  ['Calibrate', 'CAL', 'P-QUAL', 'F-SENS', 'R-ADJ'],
  ['Repair motor of', 'EM', 'P-STOP', 'F-MOTOR', 'R-REPL'],
  ['Clean', 'PM', 'P-HOT', 'F-VALVE', 'R-CLEAN'],
  ['Change belt of', 'CM', 'P-SLOW', 'F-BELT', 'R-REPL'],
  ['Check wiring of', 'CM', 'P-ELEC', 'F-CABLE', 'R-RESET'],
];
const observations = [
  'Squeaks since the night shift',
  'Oil under the frame',
  'Stops after ten minutes',
  'Rejects one box in twenty',
  'Reported by the shift leader',
  'Due by plan',
];
const finePlaces = places.filter(({ kind }) => kind === 'line' || kind === 'room');
const stores = places.filter(({ kind }) => kind === 'storeroom');

/** 10,000 maintenance orders of the last four years. */
export function workOrderTable(): SeedTable {
  const random_ = random('auftrag');
  return { table: 'auftrag', rows: Array.from({ length: COUNT }, (_, index) => workOrder(index, random_)) };
}

function workOrder(index: number, random_: ReturnType<typeof random>): SeedRow {
  const { between, chance, pick, weighted } = random_;
  const status = weighted(statuses);
  const [verb, art, problem, schaden, abhilfe] = pick(jobs);
  const place = pick(finePlaces);
  const reported = between(1, age[status]) + between(0, 1_439) / 1_440;
  const planned = reported - between(0, 5);
  const begun = status >= '20' && status !== '90';
  const done = status === '40' || status === '50';
  const minutes = between(2, 48) * 10;
  const start = Math.max(reported - between(5, 25) / 10, 0.2);
  const end = Math.max(start - minutes / 1_440, 0.1);
  const released = status >= '10' && status !== '90';
  const iso = (when: boolean, days: number) => (when ? daysAgo(days).toISOString() : null);
  return {
    aufid: FIRST + index,
    aufnr: `WO-${10_001 + index}`,
    kurztext: `${verb} ${pick(machines)} ${between(1, 12)}`,
    langtext: chance(0.7) ? pick(observations) : null,
    anweisung: chance(0.3) ? 'Lock out the drive before opening the cover' : null,
    status,
    prio: weighted({ '1': 5, '2': 15, '3': 50, '4': 20, '5': 10 }),
    art,
    ober_auf: index > 100 && chance(0.03) ? FIRST + between(0, 99) : null,
    werknr: place.werknr,
    platznr: place.platznr,
    lager: pick(stores).platznr,
    mand: place.mand,
    kst: place.mand === '020' ? '5200' : place.mand === '030' ? '6200' : pick(['4100', '4200']),
    konto: 56_710,
    kdnr: place.werknr >= 1_080 ? 2_001 + between(0, 50) : null,
    melder: pick(technicians),
    freigeber: released ? pick(foremen) : null,
    meister: pick(foremen),
    monteur: status >= '15' && chance(0.95) ? pick(technicians) : null,
    team: pick(['T-MECH', 'T-ELEC', 'T-AUTO', 'T-BLDG']),
    liefnr: chance(0.05) ? pick(vendors).number : null,
    problem: art === 'PM' || art === 'LUB' ? null : problem,
    schaden: done ? schaden : null,
    ursache: done ? pick(['C-WEAR', 'C-LUBE', 'C-DIRT', 'C-OPER', 'C-OVER']) : null,
    abhilfe: done ? abhilfe : null,
    kz_stillstand: art === 'EM' || chance(0.1) ? 'X' : ' ',
    stillstand_min: done && art === 'EM' ? between(10, 600) : null,
    kz_unterschrift: chance(0.1) ? 'J' : 'N',
    soll_min: between(2, 32) * 15,
    ist_min: done ? minutes : null,
    soll_kosten: chance(0.6) ? withComma(between(4_000, 250_000) / 100) : null,
    lohn_ct: done ? minutes * 70 : null,
    mat_ct: done ? between(0, 60_000) : null,
    fremd_ct: done && chance(0.1) ? between(5_000, 200_000) : null,
    waehr: place.mand === '020' ? 'GBP' : place.mand === '030' ? 'PLN' : 'EUR',
    gemeldet: compactTime(daysAgo(reported)),
    plan_von: status >= '15' ? compactTime(daysAgo(planned)) : null,
    plan_bis: status >= '15' ? compactTime(daysAgo(planned - minutes / 1_440)) : null,
    faellig: chance(0.8) ? compactTime(daysAgo(reported - between(3, 21))) : null,
    freigabe_am: iso(released, Math.max(reported - 0.3, 0.3)),
    beginn: iso(begun, start),
    ende: iso(done, end),
    abschluss: iso(status === '50', Math.max(end - 2, 0.05)),
    storno_am: iso(status === '90', Math.max(reported - 1, 0.1)),
    halt_am: iso(status === '30' || status === '35', end),
    halt_grund: status === '30' ? 'H-PART' : status === '35' ? pick(['H-CREW', 'H-PROD']) : null,
    storno_grund: status === '90' ? pick(['S-DUP', 'S-NOT', 'S-ERR']) : null,
    rueckmeldung: done && chance(0.8) ? 'Bearing 6204 replaced, shaft cleaned' : null,
    bem: chance(0.1) ? 'Ladder needed' : null,
    erfasst: compactTime(daysAgo(reported)),
    changed_at: daysAgo(done ? Math.max(end - 2, 0.05) : Math.max(reported - 1, 0.1)).toISOString(),
  };
}
