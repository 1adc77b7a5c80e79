import { customsOf } from '../../data/country-customs.ts';
import { type Trade, vendorGroups } from '../../data/trades.ts';
import { random } from '../../random.ts';
import type { SeedRow, SeedTable } from '../../row.ts';
import { compactDay, daysAgo, dottedDay, withComma } from '../../time.ts';
import { payables, receivables } from './accounts.ts';
import { companyNames, hostOf } from './company-name.ts';
import { phoneIn, streetIn, streetOf, vatIn } from './local.ts';
import { buyers } from './people.ts';
import { cities, cityNamed } from './places.ts';

const VENDORS = 2_000;
const CUSTOMERS = 800;

/** Every twentieth customer is also a vendor, starting at this position. */
const BOTH = { every: 20, from: 13 };
const FIRST_PARTNER = 400_001;

/** A vendor or a customer: the record of a partner in one of its roles. */
export interface TradingRecord {
  readonly number: number;
  /** Number of the partner, which can have both roles. */
  readonly gpnr: number;
  readonly name: string;
  /** With the legal form of its country. */
  readonly legalName: string;
  readonly trade: Trade;
  readonly currency: string;
  readonly city: (typeof cities)[number];
  readonly blocked: boolean;
  readonly hasVatId: boolean;
}

const currencyOf: Readonly<Record<string, string>> = {
  GB: 'GBP',
  PL: 'PLN',
  US: 'USD',
  CZ: 'CZK',
  SE: 'SEK',
  DK: 'DKK',
  NO: 'NOK',
  HU: 'HUF',
  CN: 'CNY',
  JP: 'JPY',
  TR: 'TRY',
  IN: 'INR',
};
const taken = new Set<string>();

/** Vendors 1001 to 3000; 1042 is ACME Supplies. */
export const vendors: readonly TradingRecord[] = tradingRecords(
  'lief',
  VENDORS,
  1_001,
  new Map([[1_042, 'ACME Supplies']]),
).map((vendor, index) => ({ ...vendor, gpnr: FIRST_PARTNER + index }));
/** Customers 2001 to 2800; 2007 is Baker & Sons. Forty are also vendors. */
export const customers: readonly TradingRecord[] = tradingRecords(
  'kunde',
  CUSTOMERS,
  2_001,
  new Map([[2_007, 'Baker & Sons']]),
).map((customer, index) => {
  const vendor = index % BOTH.every === BOTH.from ? vendors[2 * index] : undefined;
  const { number, blocked } = customer;
  return vendor ? { ...vendor, number, blocked } : { ...customer, gpnr: FIRST_PARTNER + VENDORS + index };
});

function tradingRecords(
  table: string,
  count: number,
  first: number,
  known: ReadonlyMap<number, string>,
): Omit<TradingRecord, 'gpnr'>[] {
  const random_ = random(table);
  const nameIn = companyNames(random_, taken);
  return Array.from({ length: count }, (_, index) => {
    const number = first + index;
    const drawn = random_.pick(cities);
    // The examples of the document charge these two the tax of Germany.
    const city = known.has(number) ? cityNamed('Hanover') : drawn;
    const { name, legalName, trade } = nameIn(city.country);
    const given = known.get(number);
    const blocked = random_.chance(0.04) && !known.has(number);
    return {
      ...{ number, city, blocked, trade, hasVatId: number % 20 !== 3 },
      name: given ?? name,
      legalName: given ? `${given} ${customsOf(city.country).forms[0]}` : legalName,
      currency: currencyOf[city.country] ?? 'EUR',
    };
  });
}

const countryOf = {
  D: new Map(customers.map(({ number, city }) => [number, city.country])),
  K: new Map(vendors.map(({ number, city }) => [number, city.country])),
};

/** Account of receivables from a customer (D), or of payables to a vendor (K). */
export function controlAccountOf(kind: 'D' | 'K', number: number): string {
  const [domestic, abroad] = kind === 'D' ? receivables : payables;
  return countryOf[kind].get(number) === 'DE' ? domestic : abroad;
}

const terms = ['Net 30', 'Net 14', 'Net 60', '2 % 10 days, net 30', 'Prepayment', 'Net 45'];

function common(
  { number, name, legalName, city, blocked, hasVatId }: TradingRecord,
  random_: ReturnType<typeof random>,
): SeedRow {
  const { between, chance } = random_;
  // Longer than the oldest document.
  const known = between(1_500, 7_000);
  const ended = blocked && chance(0.4);
  return {
    name1: name,
    firma: legalName,
    kz_gesperrt: blocked ? (ended ? 'G' : 'J') : 'N',
    seit: dottedDay(daysAgo(known)),
    bis: ended ? dottedDay(daysAgo(between(1, known))) : null,
    ust_id: hasVatId ? vatIn(city, random_) : null,
    mail: chance(0.85) ? `office@${hostOf(name)}` : null,
    tel: chance(0.9) ? phoneIn(city, random_) : null,
    www: chance(0.6) ? `https://${hostOf(name)}` : null,
    bem: chance(0.1) ? 'Deliveries before 9 a.m. only' : null,
    angelegt: compactDay(daysAgo(known)),
    changed_at: daysAgo(between(1, 400) + (number % 1_440) / 1_440).toISOString(),
  };
}

export function vendorTable(): SeedTable {
  const random_ = random('lief-data');
  const { between, chance, pick } = random_;
  const rows = vendors.map((vendor) => ({
    ...common(vendor, random_),
    beschr: chance(0.3) ? vendorGroups[vendor.trade][1] : null,
    liefnr: vendor.number,
    gpnr: vendor.gpnr,
    suchbegr: `V-${vendor.number}`,
    waehr: vendor.currency,
    kreditor: controlAccountOf('K', vendor.number),
    gruppe: chance(0.05) ? 'L-ONE' : vendorGroups[vendor.trade][0],
    mand: chance(0.1) ? pick(['010', '020', '030']) : null,
    zahlbed: chance(0.95) ? pick(terms) : null,
    liefertage: chance(0.8) ? between(1, 60) : null,
    mindest_ct: chance(0.3) ? between(1, 20) * 5_000 : null,
    note: chance(0.6) ? between(20, 50) / 10 : null,
    guete: vendor.number % 7 === 0 ? null : (['A', 'B', 'C'][vendor.number % 3] ?? null),
    audit_am:
      vendor.number % 4 === 0
        ? daysAgo(vendor.number % 900)
            .toISOString()
            .slice(0, 10)
        : null,
    rahmen_eur: vendor.number % 5 === 0 ? ((vendor.number % 97) + 1) * 1_250.5 : null,
    kz_rahmen: vendor.number % 5 === 0,
  }));
  return { table: 'lief', rows };
}

/** Customers; those that are also vendors have the tax number and website of the vendor. */
export function customerTable(vendorRows: readonly SeedRow[]): SeedTable {
  const random_ = random('kunde-data');
  const { between, chance, pick } = random_;
  const vendorOf = new Map(vendorRows.map(({ gpnr, ust_id = null, www = null }) => [gpnr, { ust_id, www }]));
  const rows = customers.map((customer, index) => {
    const { number, gpnr, name, city, currency } = customer;
    const hasAddress = chance(0.3);
    return {
      ...common(customer, random_),
      ...vendorOf.get(gpnr),
      beschr: chance(0.3) ? pick(['Framework contract', 'Orders by EDI', 'Visits the plant once a year']) : null,
      kdnr: number,
      gpnr,
      suchbegr: `C-${number}`,
      waehr: currency,
      debitor: controlAccountOf('D', customer.number),
      konzern: index > 20 && chance(0.1) ? 2_001 + between(0, 19) : null,
      gruppe: pick(['K-OEM', 'K-DIST', 'K-FOOD', 'K-PUB', 'K-PRIV']),
      betreuer: pick(buyers),
      mand: chance(0.1) ? pick(['010', '020', '030']) : null,
      kz_ust: chance(0.9) ? 'J' : 'N',
      kz_privat: chance(0.05) ? 'J' : 'N',
      kreditlimit: chance(0.7) ? withComma(between(1, 100) * 1_000) : null,
      re_name: name,
      re_strasse: streetOf(customer),
      re_plz: pick(city.postalCodes),
      re_ort: city.name,
      re_lkz: city.country,
      li_name: hasAddress ? name : null,
      li_strasse: hasAddress ? streetIn(city, random_) : null,
      li_plz: hasAddress ? (city.postalCodes[0] ?? null) : null,
      li_ort: hasAddress ? city.name : null,
      li_lkz: hasAddress ? city.country : null,
    };
  });
  return { table: 'kunde', rows };
}

/** Columns of a vendor or customer that its partner also has. */
const SHARED = [
  ...['name1', 'firma', 'beschr', 'waehr', 'kz_gesperrt', 'seit', 'bis', 'ust_id'],
  ...['mail', 'tel', 'www', 'bem', 'angelegt', 'changed_at'],
];

/** The firms behind the vendors and customers. Some belong to another firm. */
export function partnerTable(vendorRows: readonly SeedRow[], customerRows: readonly SeedRow[]): SeedTable {
  const isVendor = new Set(vendorRows.map(({ gpnr }) => gpnr));
  const isCustomer = new Set(customerRows.map(({ gpnr }) => gpnr));
  const numberOf = new Map(customers.map(({ number, gpnr }) => [number, gpnr]));
  const parents = new Map(customerRows.map(({ gpnr, konzern }) => [gpnr, numberOf.get(Number(konzern)) ?? null]));
  const parentOf = (gpnr: number) => parents.get(gpnr) ?? (gpnr % 37 === 5 ? FIRST_PARTNER + (gpnr % 20) : null);
  const firms = [...vendorRows, ...customerRows.filter(({ gpnr }) => !isVendor.has(gpnr ?? null))];
  const rows = firms.map((firm): SeedRow => {
    const gpnr = Number(firm.gpnr);
    return {
      gpnr,
      gpkz: `BP-${gpnr}`,
      konzern: parentOf(gpnr),
      kz_lief: isVendor.has(gpnr),
      kz_kunde: isCustomer.has(gpnr),
      ...Object.fromEntries(SHARED.map((column) => [column, firm[column] ?? null])),
    };
  });
  return { table: 'gp', rows };
}
