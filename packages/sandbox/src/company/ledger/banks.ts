import { random } from '../../random.ts';
import type { SeedRow, SeedTable } from '../../row.ts';
import { daysAgo } from '../../time.ts';
import { hostOf } from '../master/company-name.ts';
import { phoneIn, streetIn } from '../master/local.ts';
import { type City, cities } from '../master/places.ts';

export interface Bank {
  readonly banknr: number;
  readonly name: string;
  readonly city: City;
  readonly bic: string;
  /** National bank code: the digits of an IBAN after its check digits. */
  readonly clearing: string;
}

/** Name of a bank, and the four letters of its BIC. */
const styles: readonly (readonly [string, string])[] = [
  ['Hanse Bank', 'HANS'],
  ['Volkskasse', 'VOLK'],
  ['Merchant Bank', 'MERC'],
  ['Union Credit', 'UNIC'],
  ['Savings Bank', 'SAVI'],
  ['Trade and Industry Bank', 'TRIN'],
];
/** Length of the bank code in the IBAN, for countries whose IBAN has digits only. */
const clearingDigits: Readonly<Record<string, number>> = { DE: 8, PL: 8, CZ: 4, DK: 4, SE: 3, NO: 4, AT: 5, HU: 7 };
const COUNT = 60;

/** Banks 1 to 60. The first three hold the accounts of the companies of the group. */
export const banks: readonly Bank[] = everyBank();

function everyBank(): Bank[] {
  const { between } = random('bank');
  const home = ['Altona', 'Sheffield', 'Gliwice'].flatMap((name) => cities.find((city) => city.name === name) ?? []);
  const others = cities.filter((city) => clearingDigits[city.country] && !home.includes(city));
  const step = Math.floor(others.length / (COUNT - home.length)) || 1;
  const chosen = [...home, ...others.filter((_, index) => index % step === 0)].slice(0, COUNT);
  return chosen.map((city, index) => {
    const [style = '', letters = ''] = styles[index % styles.length] ?? [];
    const town = index < home.length ? townOf(city) : city.name;
    const place = town
      .normalize('NFD')
      .replaceAll(/[^A-Za-z]/g, '')
      .slice(0, 2)
      .toUpperCase();
    const digits = clearingDigits[city.country] ?? 6;
    return {
      banknr: index + 1,
      name: `${style} ${town}`,
      city,
      bic: `${letters}${city.country}${place}${index % 3 === 0 ? '' : 'XXX'}`,
      clearing: String(between(10 ** (digits - 1), 10 ** digits - 1)),
    };
  });
}

/** The districts of Hamburg and Berlin are listed as cities. */
function townOf({ name, region }: City): string {
  return region === 'Hamburg' || region === 'Berlin' ? region : name;
}

export function bankTable(): SeedTable {
  const random_ = random('bank-data');
  const { between, chance, pick } = random_;
  const rows = banks.map(
    ({ banknr, name, city, bic, clearing }): SeedRow => ({
      banknr,
      kurzbez: `BK-${banknr}`,
      bez: name,
      beschr: banknr <= 3 ? 'House bank' : null,
      bic,
      blz: clearing,
      lkz: city.country,
      filiale: chance(0.7) ? pick(['Head office', 'Corporate customers', 'Harbour', 'Market square']) : null,
      adr_art: 'B',
      adr_name: name,
      adr_zeile1: streetIn(city, random_),
      adr_zeile2: chance(0.2) ? 'Third floor' : null,
      adr_zeile3: null,
      adr_plz: pick(city.postalCodes),
      adr_ort: townOf(city),
      adr_kreis: null,
      adr_region: city.region,
      adr_lkz: city.country,
      adr_tel: phoneIn(city, random_),
      adr_mail: `business@${hostOf(name)}`,
      www: `https://${hostOf(name)}`,
      gesperrt: banknr > 3 && chance(0.05) ? 'X' : ' ',
      angelegt: '20050101',
      changed_at: daysAgo(between(1, 700)).toISOString(),
    }),
  );
  return { table: 'bank', rows };
}
