import { regions } from '../../data/regions.ts';
import { remark } from '../../data/remarks.ts';
import { random } from '../../random.ts';
import type { SeedRow, SeedTable } from '../../row.ts';
import { daysAgo } from '../../time.ts';
import { streetWith } from './local.ts';

/** The fields of a city that an address needs. */
export interface City {
  readonly ortnr: number;
  readonly name: string;
  readonly region: string;
  readonly country: string;
  readonly postalCodes: readonly string[];
}

const since = { angelegt: '20010615', changed_at: daysAgo(700).toISOString() };

/** Cities by country; the same numbers as in the table of localities. */
export const cities: readonly City[] = regions.flatMap(([country, , region, , list], index) =>
  list.split('; ').map((text, position) => {
    const [, name = '', codes = ''] = /^(.*?) ([0-9A-Z][0-9A-Z ,-]*)$/.exec(text) ?? [];
    return { ortnr: (index + 1) * 100 + position + 1, name, region, country, postalCodes: codes.split(',') };
  }),
);

/** The port of Hamburg, which does not belong to any of the districts. */
const hamburg: City = { ortnr: 100, name: 'Hamburg', region: 'Hamburg', country: 'DE', postalCodes: ['20457'] };

/** @throws Error when no city has the name */
export function cityNamed(name: string): City {
  const found = name === hamburg.name ? hamburg : cities.find((city) => city.name === name);
  if (!found) throw new Error(`data/regions.ts has no city ${name}`);
  return found;
}

export function localityTable(): SeedTable {
  const rows = regions.flatMap(([lkz, iso, bez, zeitzone], index): SeedRow[] => {
    const common = { zeitzone, lkz, aktiv: 'J', ...since };
    const region = {
      ...{ ortnr: (index + 1) * 100, kz: iso, bez, beschr: remark('ort', iso), iso, plz: null, ueber: null },
      ...common,
    };
    const inside = cities.filter(({ ortnr }) => Math.floor(ortnr / 100) === index + 1);
    return [
      region,
      ...inside.map(({ ortnr, name, postalCodes }, position) => ({
        ortnr,
        kz: `${iso}-${String(position + 1).padStart(2, '0')}`,
        bez: name,
        beschr: null,
        iso,
        plz: postalCodes.join(','),
        ueber: region.ortnr,
        ...common,
      })),
    ];
  });
  return { table: 'ort', rows };
}

/** Abbreviation, name, company, city, region, country, latitude, longitude, time zone; own plants first. */
const plants: readonly (readonly [string, string, string, string, string, string, string, string, string])[] = [
  ['HAM', 'Plant Hamburg', '010', 'Hamburg', 'Hamburg', 'DE', '53,5511', '9,9937', 'Europe/Berlin'],
  ['STD', 'Plant Stade', '010', 'Stade', 'Lower Saxony', 'DE', '53,5936', '9,4763', 'Europe/Berlin'],
  ['ULM', 'Plant Ulm', '010', 'Ulm', 'Baden-Württemberg', 'DE', '48,4011', '9,9876', 'Europe/Berlin'],
  ['CHE', 'Plant Chemnitz', '010', 'Chemnitz', 'Saxony', 'DE', '50,8278', '12,9214', 'Europe/Berlin'],
  ['SHF', 'Plant Sheffield', '020', 'Sheffield', 'Yorkshire', 'GB', '53,3811', '-1,4701', 'Europe/London'],
  [
    'COV',
    'Spare parts center Coventry',
    '020',
    'Coventry',
    'West Midlands',
    'GB',
    '52,4068',
    '-1,5197',
    'Europe/London',
  ],
  ['GLI', 'Plant Gliwice', '030', 'Gliwice', 'Silesia', 'PL', '50,2945', '18,6714', 'Europe/Warsaw'],
  ['HQ', 'Head office', '001', 'Hamburg', 'Hamburg', 'DE', '53,5436', '9,9881', 'Europe/Berlin'],
  ['K-LYN', 'Service base Lyon', '010', 'Lyon', 'Auvergne-Rhône-Alpes', 'FR', '45,7640', '4,8357', 'Europe/Paris'],
  ['K-BRE', 'Service base Brescia', '010', 'Brescia', 'Lombardy', 'IT', '45,5416', '10,2118', 'Europe/Rome'],
  [
    'K-ROT',
    'Service base Rotterdam',
    '010',
    'Rotterdam',
    'South Holland',
    'NL',
    '51,9244',
    '4,4777',
    'Europe/Amsterdam',
  ],
  ['K-DTW', 'Service base Detroit', '010', 'Detroit', 'Michigan', 'US', '42,3314', '-83,0458', 'America/Detroit'],
];

/** A postal address of one of our own companies or plants. */
export interface OwnAddress {
  readonly street: string;
  readonly postalCode: string;
  readonly city: City;
}

/** Companies and plants in the same city are neighbours. */
export function ownAddress(cityName: string, number: number): OwnAddress {
  const city = cityNamed(cityName);
  const street = streetWith(number, city, random(`own street in ${cityName}`));
  const [postalCode = ''] = city.postalCodes;
  return { city, postalCode, street: cityName === hamburg.name ? `Hafenstr. ${number}` : street };
}

/** Address of a plant, by its number. @throws Error when there is no such plant */
export function plantAddress(werknr: number): OwnAddress {
  const index = (werknr - 1_000) / 10;
  const [, , , cityName] = plants[index] ?? [];
  if (cityName === undefined) throw new Error(`There is no plant ${werknr}`);
  return ownAddress(cityName, index + 4);
}

/** Billing addresses for work at customers' sites. */
const headOffice = {
  re_name: 'Northwind Works GmbH',
  re_strasse: 'Hafenstr. 11',
  re_plz: '20457',
  re_ort: 'Hamburg',
  re_lkz: 'DE',
};
const noInvoices = { re_name: null, re_strasse: null, re_plz: null, re_ort: null, re_lkz: null };

/** Contacts for the plants and halls of each company, in the order of the companies. */
export type Contacts = readonly number[];

const contactAt = (mand: string, contacts: Contacts) => contacts[['001', '010', '020', '030'].indexOf(mand)] ?? null;

export function siteTable(contacts: Contacts): SeedTable {
  const rows = plants.map(([kz, bez, mand, ort, bundesland, lkz, breite, laenge, zeitzone], index) => ({
    werknr: 1000 + index * 10,
    kz,
    bez,
    beschr: remark('werk', kz),
    mand,
    kdnr: index >= 8 ? 2001 + index : null,
    kontnr: contactAt(mand, contacts),
    strasse: plantAddress(1000 + index * 10).street,
    zusatz: null,
    plz: plantAddress(1000 + index * 10).postalCode,
    ort,
    bundesland,
    lkz,
    breite,
    laenge,
    zeitzone,
    ...(index >= 8 ? headOffice : noInvoices),
    bem: index === 0 ? 'Hot work needs a permit' : null,
    aktiv: 'J',
    ...since,
  }));
  return { table: 'werk', rows };
}

export interface Place {
  readonly platznr: number;
  readonly name: string;
  readonly kind: string;
  readonly werknr: number;
  readonly mand: string;
}

const kinds = { area: 'Hall', line: 'Packaging line', room: 'Room', warehouse: 'Warehouse', storeroom: 'Storeroom' };

/** Halls of every plant, and in each hall its lines, rooms and stores. */
export const places: readonly (Place & { readonly ueber: number | null; readonly kz: string })[] = plants.flatMap(
  ([sign, , mand], plant) => {
    const werknr = 1000 + plant * 10;
    const halls = plant < 7 ? ['A', 'B', 'C', 'D'] : ['A'];
    return halls.flatMap((hall, position) => {
      const platznr = (plant + 1) * 1000 + (position + 1) * 20;
      const inside = [
        ['line', 'L1', 'Packaging line 1'],
        ['line', 'L2', 'Packaging line 2'],
        ['room', 'R1', 'Control room'],
        ['warehouse', 'W1', 'Warehouse'],
        ['storeroom', 'S1', 'Storeroom'],
      ].map(([kind = '', suffix = '', name = ''], index) => ({
        platznr: platznr + index + 1,
        name: `${name} ${sign}-${hall}`,
        kind,
        werknr,
        mand,
        ueber: platznr,
        kz: `${sign}-${hall}-${suffix}`,
      }));
      return [
        {
          platznr,
          name: `${kinds.area} ${hall} ${sign}`,
          kind: 'area',
          werknr,
          mand,
          ueber: null,
          kz: `${sign}-${hall}`,
        },
        ...inside,
      ];
    });
  },
);

/** The one warehouse that is not at its plant. */
const rented = { strasse: 'Speicherweg 2', plz: '21129', ort: 'Hamburg', lkz: 'DE' };
const atThePlant = { strasse: null, plz: null, ort: null, lkz: null };

/** Halls are at the location of their plant. */
function coordinatesOf(kind: string, werknr: number): SeedRow {
  const [, , , , , , breite, laenge] = plants[(werknr - 1000) / 10] ?? [];
  return kind === 'area' ? { breite: breite ?? null, laenge: laenge ?? null } : { breite: null, laenge: null };
}

/** Number of the location of goods in transit. */
export const TRANSIT = 900;

const inTransit: SeedRow = {
  platznr: TRANSIT,
  kz: 'TRANSIT',
  bez: 'Goods in transit',
  beschr: 'Goods between two locations',
  typ: 'transit',
  werknr: null,
  mand: '010',
  ueber: null,
  leiter: null,
  kontnr: null,
  team: null,
  ...atThePlant,
  breite: null,
  laenge: null,
  strichcode: null,
  vorgabe: 'N',
  gesperrt: ' ',
  ...since,
};

export function locationTable(people: readonly number[], contacts: Contacts): SeedTable {
  const { pick, chance } = random('platz');
  const rows = places.map(({ platznr, name, kind, werknr, mand, ueber, kz }) => ({
    platznr,
    kz,
    bez: name,
    beschr: remark('platz', kz),
    typ: kind,
    werknr,
    mand,
    ueber,
    leiter: kind === 'area' ? pick(people) : null,
    kontnr: kind === 'area' ? contactAt(mand, contacts) : null,
    team: kind === 'line' ? pick(['T-MECH', 'T-ELEC', 'T-AUTO']) : null,
    ...(kz === 'HAM-D-W1' ? rented : atThePlant),
    ...coordinatesOf(kind, werknr),
    strichcode: `LOC-${String(platznr).padStart(6, '0')}`,
    vorgabe: kind === 'storeroom' && kz.endsWith('A-S1') ? 'J' : 'N',
    gesperrt: chance(0.02) ? 'X' : ' ',
    ...since,
  }));
  return { table: 'platz', rows: [...rows, inTransit] };
}
