import { random } from '../../random.ts';
import type { SeedRow, SeedTable } from '../../row.ts';
import { daysAgo, THIS_YEAR, withComma } from '../../time.ts';
import { vendors } from '../master/partners.ts';
import { type Person, people, technicians } from '../master/people.ts';
import { places } from '../master/places.ts';
import { userOf } from '../master/users.ts';

const FIRST = 3_001;
const LENT = 12;

export interface LaborResource {
  readonly kapnr: number;
  readonly name: string;
  readonly persnr: number | null;
  readonly vendor: number | null;
  readonly craft: string;
  readonly cents: number;
}

const crafts = {
  'CR-MECH': 30,
  'CR-ELEC': 18,
  'CR-AUTO': 10,
  'CR-WELD': 10,
  'CR-MACH': 10,
  'CR-ASSY': 14,
  'CR-QUAL': 6,
};
const teamOf: Readonly<Record<string, string>> = { 'CR-ELEC': 'T-ELEC', 'CR-AUTO': 'T-AUTO', 'CR-MACH': 'T-TOOL' };
const levels: Readonly<Record<string, number>> = { A: 2_400, G: 3_800, M: 4_900, S: 5_600 };

/** Our technicians and some temporary workers from vendors. */
export const laborResources: readonly LaborResource[] = everybody();

function everybody(): LaborResource[] {
  const { pick, weighted, between } = random('kapazitaet');
  const own = people.filter(({ persnr }) => technicians.includes(persnr));
  const lent = Array.from({ length: LENT }, () => pick(vendors));
  const of = (name: string, persnr: number | null, vendor: number | null, index: number): LaborResource => ({
    kapnr: FIRST + index,
    name,
    persnr,
    vendor,
    craft: weighted(crafts),
    cents: (Object.values(levels)[index % 4] ?? 0) + between(0, 8) * 50,
  });
  return [
    ...own.map(({ persnr, first, last }, index) => of(`${first} ${last}`, persnr, null, index)),
    ...lent.map(({ number, name }, index) => of(`Fitter ${index + 1} of ${name}`, null, number, own.length + index)),
  ];
}

export function laborResourceTable(): SeedTable {
  const { between, chance, pick } = random('kapazitaet-data');
  const rows = laborResources.map(({ kapnr, name, persnr, vendor, craft, cents }, index): SeedRow => {
    const mand = people.find((person: Person) => person.persnr === persnr)?.mand ?? '010';
    const known = places.filter((place) => place.mand === mand);
    const lines = [pick(known), pick(known)];
    return {
      kapnr,
      kapkz: `LR-${kapnr}`,
      bez: name,
      beschr: chance(0.2)
        ? pick(['Knows the old conveyors', 'Programs the welding robots', 'Trains apprentices'])
        : null,
      persnr,
      bennr: userOf.get(persnr ?? 0) ?? null,
      liefnr: vendor,
      gewerk: craft,
      stufe: Object.keys(levels)[index % 4] ?? null,
      team: teamOf[craft] ?? 'T-MECH',
      mand,
      werke: [...new Set(lines.map(({ werknr }) => werknr))].join(','),
      plaetze: [...new Set(lines.map(({ platznr }) => platznr))].join(','),
      konto: 56_710,
      satz: withComma(cents / 100),
      satz_ueber: withComma((cents * 1.25) / 100),
      waehr: 'EUR',
      tag_std: chance(0.1) ? 4 : 7.5,
      kalender: pick(['DAY', 'EARLY-LATE', 'THREE-SHIFT']),
      gesperrt: chance(0.03) ? 'X' : ' ',
      bem: chance(0.1) ? `Crane license until ${between(THIS_YEAR + 1, THIS_YEAR + 4)}` : null,
      angelegt: '20210503',
      changed_at: daysAgo(between(1, 400) + between(0, 1_439) / 1_440).toISOString(),
    };
  });
  return { table: 'kapazitaet', rows };
}
