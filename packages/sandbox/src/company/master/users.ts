import { random } from '../../random.ts';
import type { SeedRow, SeedTable } from '../../row.ts';
import { compactDay, compactTime, daysAgo } from '../../time.ts';
import { buyers, foremen, officePhone, people } from './people.ts';
import { places } from './places.ts';

const FIRST = 5_001;
const zones: Readonly<Record<string, string>> = { '020': 'Europe/London', '030': 'Europe/Warsaw' };
const languages: Readonly<Record<string, string>> = { '020': 'eng', '030': 'pol' };

/** Employees with a user account: managers, buyers, and every third of the others. */
const accountHolders = people.filter(
  ({ persnr }, index) => foremen.includes(persnr) || buyers.includes(persnr) || index % 3 === 2,
);

/** Numbers of the accounts of people, by the number of the employee. */
export const userOf: ReadonlyMap<number, number> = new Map(
  accountHolders.map(({ persnr }, index) => [persnr, FIRST + 10 + index]),
);
export const userNumbers = [...userOf.values()];

/** Accounts of programs, then those of people. */
export function userTable(): SeedTable {
  const random_ = random('benutzer');
  const { between, chance, pick } = random_;
  const rows = accountHolders.map(({ persnr, first, last, mand }, index): SeedRow => {
    const bennr = FIRST + 10 + index;
    const own = places.filter((place) => place.mand === mand);
    const sites = [...new Set(own.map(({ werknr }) => werknr))].slice(0, between(1, 3));
    const login = `${first.charAt(0)}${last}`
      .normalize('NFD')
      .replaceAll(/[^A-Za-z]/g, '')
      .toLowerCase();
    return {
      ...program(bennr, `${first} ${last}`, `${login}${persnr % 100}`, null),
      mail: `${login}${persnr % 100}@northwind.example`,
      vorname: first,
      nachname: last,
      tel: chance(0.8) ? officePhone({ persnr, mand }) : null,
      rolle: foremen.includes(persnr)
        ? 'Supervisor'
        : buyers.includes(persnr)
          ? 'Buyer'
          : pick(['Planner', 'Technician', 'Clerk']),
      persnr,
      mand,
      werke: sites.join(' '),
      plaetze: chance(0.4) && own.length > 0 ? pick(own).platznr.toString() : null,
      spr: languages[mand] ?? 'deu',
      zeitzone: zones[mand] ?? 'Europe/Berlin',
      letzte: chance(0.95) ? compactTime(daysAgo(between(0, 30) + between(60, 1_439) / 1_440)) : null,
      gesperrt: chance(0.04) ? 'X' : ' ',
    };
  });
  return {
    table: 'benutzer',
    rows: [
      program(FIRST, 'Interface', 'interface', 'Writes data received through interfaces'),
      program(FIRST + 1, 'Workshop terminal', 'terminal', 'Terminal in the workshop'),
      ...rows,
    ],
  };
}

function program(bennr: number, name: string, login: string, about: string | null): SeedRow {
  return {
    bennr,
    kz: `U-${bennr}`,
    name,
    beschr: about,
    anmeldung: login,
    mail: 'it@northwind.example',
    vorname: null,
    nachname: null,
    tel: null,
    rolle: 'Program',
    persnr: null,
    mand: '001',
    werke: null,
    plaetze: null,
    spr: 'eng',
    zeitzone: 'Europe/Berlin',
    letzte: compactTime(daysAgo(0.1)),
    gesperrt: ' ',
    angelegt: compactDay(daysAgo(900 + (bennr % 700))),
    changed_at: daysAgo(5 + (bennr % 300)).toISOString(),
  };
}
