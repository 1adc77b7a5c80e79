import { cityCenters } from '../../data/city-centers.ts';
import { firstNames, lastNames } from '../../data/names.ts';
import { type Random, random } from '../../random.ts';
import type { SeedRow, SeedTable } from '../../row.ts';
import { compactDay, daysAgo } from '../../time.ts';
import { hostOf } from '../master/company-name.ts';
import { companies as ownCompanies } from '../master/departments.ts';
import { mobileIn, phoneIn, streetIn, taxNumberIn } from '../master/local.ts';
import { customers, type TradingRecord, vendors } from '../master/partners.ts';

const FIRST = 50_001;
/** Numbers of the contacts of our own companies 1 to 4. */
export const ownContacts = [0, 1, 2, 3].map((index) => FIRST + index);
/** The contact at ACME Supplies. */
const KNOWN = { first: 'Mira', last: 'Hahn' };
const languageOf: Readonly<Record<string, string>> = { DE: 'deu', PL: 'pol', FR: 'fra', IT: 'ita', NL: 'nld' };
const positions: readonly (readonly [position: string, department: string])[] = [
  ['Head of sales', 'Sales'],
  ['Account manager', 'Sales'],
  ['Order desk', 'Sales'],
  ['Head of purchasing', 'Purchasing'],
  ['Buyer', 'Purchasing'],
  ['Accounts clerk', 'Finance'],
  ['Service engineer', 'Service'],
  ['Managing director', 'Management'],
];

interface Company {
  /** L(ief) K(unde) M(andant). */
  readonly art: 'L' | 'K' | 'M';
  readonly number: number;
  readonly city: TradingRecord['city'];
  readonly host: string;
}

interface Seat {
  readonly kontnr: number;
  readonly company: Company;
  readonly isMain: boolean;
}

const placed = everybody();
const mainContacts = new Map(
  placed.filter(({ isMain }) => isMain).map(({ company: { art, number }, kontnr }) => [`${art} ${number}`, kontnr]),
);

/** Number of the main contact of a L(ief) or K(unde); null if there is none. */
export function mainContactOf(art: 'L' | 'K', number: number): number | null {
  return mainContacts.get(`${art} ${number}`) ?? null;
}

/**
 * People at our own companies, every third vendor and every second customer. The first contact of a company is its main contact.
 */
export function contactTable(): SeedTable {
  const random_ = random('kontakt-data');
  return { table: 'kontakt', rows: placed.map((seat) => contact(seat, random_)) };
}

function everybody(): readonly Seat[] {
  const { chance } = random('kontakt');
  const seats = companies().flatMap((company) =>
    Array.from({ length: company.art !== 'M' && chance(0.3) ? 2 : 1 }, (_, index) => ({
      company,
      isMain: index === 0,
    })),
  );
  return seats.map((seat, index) => ({ ...seat, kontnr: FIRST + index }));
}

function companies(): readonly Company[] {
  const of = (art: 'L' | 'K', { number, name, city }: TradingRecord): Company => ({
    art,
    number,
    city,
    host: hostOf(name),
  });
  return [
    ...ownCompanies.map(({ mandnr, address }): Company => {
      return { art: 'M', number: mandnr, city: address.city, host: 'northwind.example' };
    }),
    ...vendors.filter(({ number }) => number % 3 === 1_042 % 3).map((vendor) => of('L', vendor)),
    ...customers.filter(({ number }) => number % 2 === 1).map((customer) => of('K', customer)),
  ];
}

function contact({ kontnr, company, isMain }: Seat, random_: Random): SeedRow {
  const { between, chance, pick } = random_;
  const isKnown = company.art === 'L' && company.number === 1_042 && isMain;
  const { first, last } = isKnown ? KNOWN : { first: pick(firstNames), last: pick(lastNames) };
  const [stelle, abt] = pick(positions);
  const { city, host } = company;
  const mailbox = `${plain(first)}.${plain(last)}@${host}`;
  const known = between(20, 5_000);
  const hasLeft = !isMain && chance(0.1);
  const dial = () => phoneIn(city, random_);
  const home = chance(0.1) || isKnown;
  return {
    kontnr,
    kz: `K-${kontnr}`,
    name: `${first} ${last}`,
    beschr: chance(0.15) ? pick(['Decides on framework agreements', 'Knows our machines', 'Speaks German']) : null,
    vorname: first,
    zweitname: chance(0.05) ? pick(firstNames) : null,
    nachname: last,
    anrede: pick(['Mr.', 'Ms.']),
    zusatz: chance(0.03) ? 'MBA' : null,
    titel: chance(0.08) ? 'Dr.' : null,
    geschl: chance(0.5) ? pick(['female', 'male']) : null,
    geb_dat: chance(0.1) ? compactDay(daysAgo(between(9_000, 22_000))) : '00000000',
    stelle,
    abt,
    firma_art: company.art,
    firma: company.number,
    mail: chance(0.9) || isKnown ? mailbox : null,
    mails:
      chance(0.1) || isKnown ? [{ art: 'E', adresse: `${plain(last)}@${host}`, bez: 'Old address', haupt: 'N' }] : [],
    tel: dial(),
    mobil: chance(0.5) ? mobileIn(city, random_) : null,
    telefone: chance(0.15) || isKnown ? [{ art: 'F', nummer: dial(), bez: 'Orders', haupt: 'N' }] : [],
    adressen: home ? [homeAddress(city, `${first} ${last}`, random_)] : [],
    strasse: chance(0.2) || isKnown ? streetIn(city, random_) : null,
    adrzusatz: chance(0.05) ? `Floor ${between(1, 9)}` : null,
    plz: chance(0.2) ? pick(city.postalCodes) : null,
    ort: city.name,
    adr_land: city.country,
    spr: languageOf[city.country] ?? 'eng',
    lkz: city.country,
    steuernr: chance(0.02) ? taxNumberIn(city, random_) : null,
    haupt: isMain ? 'J' : 'N',
    vorgabe: isMain && chance(0.5) ? 'J' : 'N',
    kz_weg: hasLeft ? 'J' : 'N',
    bem: chance(0.1) ? pick(['Prefers e-mail', 'Not on Fridays', 'On parental leave until spring']) : null,
    angelegt: compactDay(daysAgo(known)),
    changed_at: daysAgo(between(1, known) + (kontnr % 1_440) / 1_440).toISOString(),
  };
}

function homeAddress(city: TradingRecord['city'], person: string, random_: Random) {
  const { name, region, country, postalCodes } = city;
  const [breite = null, laenge = null] = cityCenters[name] ?? [];
  return {
    zweck: 'P',
    name: person,
    zeile1: streetIn(city, random_),
    zeile2: null,
    zeile3: null,
    ort: name,
    kreis: null,
    bundesland: region,
    plz: random_.pick(postalCodes),
    lkz: country,
    tel: null,
    mail: null,
    breite,
    laenge,
  };
}

function plain(name: string): string {
  return name
    .normalize('NFD')
    .replaceAll(/[^A-Za-z]/g, '')
    .toLowerCase();
}
