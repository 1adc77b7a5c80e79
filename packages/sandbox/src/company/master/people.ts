import { firstNames, lastNames } from '../../data/names.ts';
import { type Random, random } from '../../random.ts';
import type { SeedRow, SeedTable } from '../../row.ts';
import { compactDay, daysAgo, dottedDay } from '../../time.ts';
import { companies, departments } from './departments.ts';
import { extensionAt, streetIn, taxNumberIn } from './local.ts';
import { type City, cities, places } from './places.ts';

const COUNT = 300;
const LAST = 4711;
const FOREMEN = 25;
const BUYERS = 15;
/** Days since the oldest document, at least. */
const OLDEST = 1_500;

export interface Person {
  readonly persnr: number;
  readonly first: string;
  readonly last: string;
  readonly kst: string;
  readonly mand: string;
}

/** All employees. The last one is Maria Keller, E-4711. */
export const people: readonly Person[] = everybody();

/** Numbers of the employees who do, lead or order work. */
export const technicians = people.filter((_, index) => isTechnician(index)).map(({ persnr }) => persnr);
export const foremen = people.slice(0, FOREMEN).map(({ persnr }) => persnr);
export const buyers = people.slice(FOREMEN, FOREMEN + BUYERS).map(({ persnr }) => persnr);

/** Foremen approve what technicians request, so none is both. */
function isTechnician(index: number): boolean {
  return index >= FOREMEN && (index % 3 === 0 || index === COUNT - 1);
}

/** Whether documents of all years refer to the employee. */
function isLongServing(index: number): boolean {
  return index < FOREMEN + BUYERS || isTechnician(index);
}

function everybody(): Person[] {
  const { pick } = random('personal');
  const taken = new Set(['Maria Keller', 'Jonas Weber']);
  return Array.from({ length: COUNT }, (_, index) => {
    const department = departments[index % departments.length] ?? departments[0];
    const home = { persnr: LAST - COUNT + 1 + index, kst: department?.kst ?? '', mand: department?.mand ?? '' };
    if (index === COUNT - 1) return { ...home, first: 'Maria', last: 'Keller' };
    let first = pick(firstNames);
    let last = pick(lastNames);
    while (taken.has(`${first} ${last}`)) [first, last] = [pick(firstNames), pick(lastNames)];
    taken.add(`${first} ${last}`);
    return { ...home, first, last };
  });
}

/** City of the switchboard of each company. */
const seats: Readonly<Record<string, { readonly name: string; readonly country: string }>> = {
  '001': { name: 'Hamburg', country: 'DE' },
  '010': { name: 'Hamburg', country: 'DE' },
  '020': { name: 'Sheffield', country: 'GB' },
  '030': { name: 'Gliwice', country: 'PL' },
};

/** Work telephone: the person's extension at the switchboard of the company. */
export function officePhone({ persnr, mand }: Pick<Person, 'persnr' | 'mand'>): string | null {
  const seat = seats[mand];
  return seat ? extensionAt(seat, persnr - (LAST - COUNT + 1)) : null;
}

const jobs = [
  'Maintenance technician',
  'Electrician',
  'Machine operator',
  'Planner',
  'Buyer',
  'Warehouse clerk',
  'Quality inspector',
  'Accountant',
  'Engineer',
];
const homes: Readonly<Record<string, readonly [country: string, language: string, currency: string]>> = {
  '001': ['DE', 'deu', 'EUR'],
  '010': ['DE', 'deu', 'EUR'],
  '020': ['GB', 'eng', 'GBP'],
  '030': ['PL', 'pol', 'PLN'],
};

export function employeeTable(): SeedTable {
  const { between, chance, pick } = random('personal-data');
  const private_ = random('personal-private');
  const rows = people.map(({ persnr, first, last, kst, mand }, index): SeedRow => {
    const joined = Math.max(between(100, 9_000), isLongServing(index) ? between(OLDEST, 9_000) : 0);
    const left = chance(0.06) && index > 60 && !isLongServing(index);
    const [lkz = '', spr = '', waehr = ''] = homes[mand] ?? [];
    const hourly = between(24, 88);
    return {
      persnr,
      kuerzel: `E-${persnr}`,
      rufname: `${first} ${last}`,
      vorname: first,
      nachname: last,
      zweitname: chance(0.1) ? pick(firstNames) : null,
      titel: chance(0.05) ? 'Dr.' : null,
      zusatz: chance(0.04) ? 'M.Sc.' : null,
      beschr: index % 20 === 4 ? 'Drives forklifts' : null,
      geb_dat: chance(0.7) ? compactDay(daysAgo(joined + between(6_700, 14_500))) : '00000000',
      ...privateData(mand, private_),
      ...papers(persnr),
      gesperrt: left ? 'X' : ' ',
      lohnnr: String(70_000 + persnr),
      mail: `${plain(first)}.${plain(last)}@northwind.example`,
      tel: officePhone({ persnr, mand }),
      stelle: index < 25 ? 'Foreman' : pick(jobs),
      kz_status: left ? 'X' : chance(0.04) ? 'P' : 'A',
      kz_extern: chance(0.08) ? 'J' : 'N',
      eintritt: dottedDay(daysAgo(joined)),
      austritt: left ? dottedDay(daysAgo(between(1, 90))) : null,
      lkz,
      spr,
      mand,
      kst,
      vorges: index === 0 ? null : (people[Math.floor(index / 12)]?.persnr ?? null),
      platznr: pick(places).platznr,
      waehr,
      std_ct: hourly * 100,
      monat_ct: hourly * 16_000,
      jahr_ct: hourly * 192_000,
      angelegt: compactDay(daysAgo(joined)),
      changed_at: daysAgo(between(1, 600) + between(0, 1439) / 1440).toISOString(),
    };
  });
  return { table: 'personal', rows };
}

/** Cities in which employees of one of our companies live: the cities in its country. */
export function citiesNear(mand: string): readonly City[] {
  const home = companies.find((company) => company.mand === mand)?.address.city;
  return cities.filter(({ country }) => country === home?.country);
}

/** Data that only the human resources department sees. */
function privateData(mand: string, random_: Random): SeedRow {
  const { between, chance, pick } = random_;
  const city = pick(citiesNear(mand));
  return {
    geschl: chance(0.6) ? pick(['female', 'male']) : null,
    steuernr: chance(0.8) ? taxNumberIn(city, random_) : null,
    strasse: streetIn(city, random_),
    adrzusatz: chance(0.1) ? `Floor ${between(1, 9)}` : null,
    plz: pick(city.postalCodes),
    ort: city.name,
    adr_land: city.country,
  };
}

/** Numbers of identity card and passport, for employees who travel. */
function papers(persnr: number): SeedRow {
  const isTravelling = persnr % 10 === 1;
  return {
    ausweis: isTravelling ? `L${persnr}X00T` : null,
    pass: isTravelling ? `C${persnr}H8R7` : null,
  };
}

function plain(name: string): string {
  return name
    .normalize('NFD')
    .replaceAll(/[^A-Za-z]/g, '')
    .toLowerCase();
}
