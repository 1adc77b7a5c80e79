import { random } from '../../random.ts';
import type { SeedRow, SeedTable } from '../../row.ts';
import { compactDay, daysAgo, dottedDay, withComma } from '../../time.ts';
import { phoneIn } from '../master/local.ts';
import { vendors } from '../master/partners.ts';
import { foremen } from '../master/people.ts';
import { places, plantAddress } from '../master/places.ts';

export interface Property {
  readonly lgnr: number;
  readonly werknr: number;
  readonly city: string;
  readonly kind: string;
  readonly mand: string;
}

/** Locations of the plants. */
const cityOf: Readonly<Record<number, string>> = {
  1000: 'Hamburg',
  1010: 'Stade',
  1020: 'Ulm',
  1030: 'Chemnitz',
  1040: 'Sheffield',
  1050: 'Coventry',
  1060: 'Gliwice',
  1070: 'Hamburg HQ',
  1080: 'Lyon',
  1090: 'Brescia',
  1100: 'Rotterdam',
  1110: 'Detroit',
};
const kinds: readonly (readonly [code: string, name: string])[] = [
  ['LG-PROD', 'Production building'],
  ['LG-STOR', 'Warehouse'],
  ['LG-OFF', 'Office building'],
  ['LG-WORK', 'Workshop'],
  ['LG-RES', 'Staff house'],
];
const companyNumber: Readonly<Record<string, number>> = { '001': 1, '010': 2, '020': 3, '030': 4 };
const currencyOf: Readonly<Record<string, string>> = { '020': 'GBP', '030': 'PLN' };

/** Properties 1 to 60: five buildings at each plant. */
export const properties: readonly Property[] = Object.entries(cityOf).flatMap(([site, city], plant) =>
  kinds.map(([kind], index) => ({
    lgnr: plant * kinds.length + index + 1,
    werknr: Number(site),
    city,
    kind,
    mand: places.find(({ werknr }) => werknr === Number(site))?.mand ?? '010',
  })),
);

export function propertyTable(): SeedTable {
  const { between, chance, pick } = random('liegenschaft');
  const phones = random('liegenschaft-tel');
  const rows = properties.map(({ lgnr, werknr, city, kind, mand }): SeedRow => {
    const isOwn = werknr < 1_080 && !chance(0.15);
    const acquired = between(400, 7_500);
    const { city: place, street } = plantAddress(werknr);
    const name = kinds.find(([code]) => code === kind)?.[1] ?? '';
    return {
      lgnr,
      kz: `PY-${lgnr}`,
      bez: `${name} ${city}`,
      beschr: chance(0.2)
        ? pick(['Listed facade', 'Heated by district heating', 'Right of way for the neighbour'])
        : null,
      art: kind,
      mand,
      eigner_art: isOwn ? 'M' : 'L',
      eigner: isOwn ? (companyNumber[mand] ?? null) : pick(vendors).number,
      verwalter: pick(foremen),
      adr_art: 'B',
      adr_name: chance(0.3) ? 'Caretaker' : null,
      adr_zeile1: street,
      adr_zeile2: chance(0.2) ? 'Gate 2' : null,
      adr_zeile3: null,
      adr_plz: pick(place.postalCodes),
      adr_ort: place.name,
      adr_kreis: null,
      adr_region: place.region,
      adr_lkz: place.country,
      adr_tel: chance(0.5) ? phoneIn(place, phones) : null,
      adr_mail: chance(0.2) ? `caretaker${lgnr}@northwind.example` : null,
      qm: withComma(between(400, 12_000)),
      eh: 'M2',
      baujahr: between(1_921, 2_019),
      erworben: isOwn ? dottedDay(daysAgo(acquired)) : null,
      preis_ct: isOwn ? between(400, 12_000) * 100_000 : null,
      waehr: currencyOf[mand] ?? 'EUR',
      aktiv: chance(0.04) ? 'N' : 'J',
      angelegt: compactDay(daysAgo(acquired)),
      changed_at: daysAgo(between(1, 400)).toISOString(),
    };
  });
  return { table: 'liegenschaft', rows };
}
