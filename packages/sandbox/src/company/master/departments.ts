import { cityCenters } from '../../data/city-centers.ts';
import { remark } from '../../data/remarks.ts';
import { random } from '../../random.ts';
import type { SeedRow, SeedTable } from '../../row.ts';
import { daysAgo } from '../../time.ts';
import { extensionAt, vatIn } from './local.ts';
import { ownAddress } from './places.ts';

/** Number of the location of the accounting department. */
const HEAD_OFFICE = 8_020;
const since = { angelegt: '20050101', changed_at: daysAgo(650).toISOString() };

export interface Department {
  readonly kst: string;
  readonly name: string;
  readonly mand: string;
}

/** Cost center, name, company, cost center above. */
const list: readonly (readonly [string, string, string, string | null])[] = [
  ['1000', 'Management', '001', null],
  ['1100', 'Finance', '001', '1000'],
  ['1110', 'Accounting', '001', '1100'],
  ['1120', 'Controlling', '001', '1100'],
  ['1200', 'Human resources', '001', '1000'],
  ['1300', 'Information technology', '001', '1000'],
  ['2000', 'Purchasing', '010', '1000'],
  ['2100', 'Strategic purchasing', '010', '2000'],
  ['2200', 'Warehouse and logistics', '010', '2000'],
  ['3000', 'Production Germany', '010', '1000'],
  ['3100', 'Production Hamburg', '010', '3000'],
  ['3200', 'Production Stade', '010', '3000'],
  ['3300', 'Production Ulm', '010', '3000'],
  ['3400', 'Production Chemnitz', '010', '3000'],
  ['4000', 'Technical services', '010', '1000'],
  ['4100', 'Maintenance North', '010', '4000'],
  ['4200', 'Maintenance South', '010', '4000'],
  ['4300', 'Tool shop', '010', '4000'],
  ['5000', 'Northwind UK', '020', '1000'],
  ['5100', 'Production Sheffield', '020', '5000'],
  ['5200', 'Maintenance Sheffield', '020', '5000'],
  ['5300', 'Spare parts Coventry', '020', '5000'],
  ['6000', 'Northwind Polska', '030', '1000'],
  ['6100', 'Production Gliwice', '030', '6000'],
  ['6200', 'Maintenance Gliwice', '030', '6000'],
];

export const departments: readonly Department[] = list.map(([kst, name, mand]) => ({ kst, name, mand }));

export function departmentTable(leaders: readonly number[]): SeedTable {
  const currency: Readonly<Record<string, string>> = { '020': 'GBP', '030': 'PLN' };
  const rows = list.map(([kst, bez, mand, ueber_kst], index) => ({
    kst,
    bez,
    beschr: remark('abteilung', kst),
    mand,
    ueber_kst,
    leiter: leaders[index % leaders.length] ?? null,
    waehr: currency[mand] ?? 'EUR',
    gesperrt: ' ',
    ...since,
  }));
  return { table: 'abteilung', rows };
}

/** Number, key, name, with legal form, city, currency, fiscal calendar, number in the commercial register. */
const registered = [
  [1, '001', 'Northwind Group', 'Northwind Holding AG', 'Hamburg', 'EUR', 'FY-CAL', 'HRB 86891'],
  [2, '010', 'Northwind Works', 'Northwind Works GmbH', 'Hamburg', 'EUR', 'FY-CAL', 'HRB 86892'],
  [3, '020', 'Northwind UK', 'Northwind UK Ltd', 'Sheffield', 'GBP', 'FY-APR', '08689301'],
  [4, '030', 'Northwind Polska', 'Northwind Polska Sp. z o.o.', 'Gliwice', 'PLN', 'FY-CAL', '0000868940'],
] as const;

/** Our own companies. */
export const companies = registered.map(([mandnr, mand, bez, firma, place, waehr, kalkz, hrb]) => {
  return { mandnr, mand, bez, firma, waehr, kalkz, hrb, address: ownAddress(place, 4) };
});

export function organizationTable(): SeedTable {
  const rows = companies.map(({ address, ...company }): SeedRow => {
    const { mandnr, mand, firma } = company;
    const { city, street, postalCode } = address;
    const { name: place, country: lkz } = city;
    const [breite = null, laenge = null] = cityCenters[place] ?? [];
    const postbox = { zeile1: 'P.O. Box 11 04 20', ort: place, plz: lkz === 'DE' ? '20404' : postalCode, lkz };
    return {
      ...company,
      beschr: remark('mandant', mand),
      ueber: mand === '001' ? null : '001',
      ust_id: vatIn(city, random(`vat of ${mand}`)),
      strasse: street,
      plz: postalCode,
      ort: place,
      lkz,
      tel: extensionAt(city, 0),
      mail: `office${mandnr}@northwind.example`,
      www: 'https://northwind.example',
      adressen: [
        { zweck: 'B', name: firma, zeile1: street, ort: place, plz: postalCode, lkz, breite, laenge },
        { zweck: 'R', name: firma, ...postbox },
      ],
      gj_ende: mand === '020' ? '0331' : '1231',
      aktiv: 'J',
      ...since,
    };
  });
  return { table: 'mandant', rows };
}

export function fiscalCalendarTable(leader: number): SeedTable {
  const of = (kalnr: number, kalkz: string, bez: string, mand: string, perioden: number, sonderper: number) => ({
    kalnr,
    kalkz,
    bez,
    beschr: remark('gjkal', kalkz),
    mand,
    kst: '1100',
    leiter: leader,
    perioden,
    sonderper,
    platznr: HEAD_OFFICE,
    ...since,
  });
  return {
    table: 'gjkal',
    rows: [
      of(1, 'FY-CAL', 'Calendar year', '001', 12, 1),
      of(2, 'FY-APR', 'April to March', '020', 12, 1),
      of(3, 'FY-445', 'Retail weeks 4-4-5', '010', 12, 0),
      of(4, 'FY-13', 'Thirteen periods', '030', 13, 1),
    ],
  };
}
