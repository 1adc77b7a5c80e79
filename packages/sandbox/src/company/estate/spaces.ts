import { random } from '../../random.ts';
import type { SeedRow, SeedTable } from '../../row.ts';
import { daysAgo, withComma } from '../../time.ts';
import { places } from '../master/places.ts';
import { type Property, properties } from './properties.ts';

export interface Space {
  readonly flnr: number;
  readonly property: Property;
  readonly name: string;
  readonly kind: string;
  readonly area: number;
  readonly isRentable: boolean;
}

/** Spaces of a building, the main space first: kind, name, minimum and maximum square meters, whether it can be rented. */
const layouts: Readonly<Record<string, readonly (readonly [string, string, number, number, boolean])[]>> = {
  'LG-PROD': [
    ['FL-HALL', 'Production hall', 800, 6_000, false],
    ['FL-STOR', 'Line side store', 20, 90, false],
    ['FL-OFF', 'Foreman office', 12, 24, false],
  ],
  'LG-STOR': [
    ['FL-STOR', 'Storage hall', 500, 4_000, true],
    ['FL-STOR', 'Cage 1', 20, 60, true],
    ['FL-STOR', 'Cage 2', 20, 60, true],
    ['FL-PARK', 'Loading yard', 100, 400, false],
  ],
  'LG-OFF': [
    ['FL-OFF', 'Office floor 1', 180, 400, true],
    ['FL-OFF', 'Office 1.01', 14, 40, true],
    ['FL-OFF', 'Office 1.02', 14, 40, true],
    ['FL-MEET', 'Meeting room 1.10', 20, 60, true],
    ['FL-SHOP', 'Showroom', 80, 240, true],
  ],
  'LG-WORK': [
    ['FL-HALL', 'Workshop floor', 150, 700, false],
    ['FL-STOR', 'Tool crib', 12, 40, false],
  ],
  'LG-RES': [
    ['FL-FLAT', 'Apartment 1', 35, 95, true],
    ['FL-FLAT', 'Apartment 2', 35, 95, true],
    ['FL-FLAT', 'Apartment 3', 35, 95, true],
    ['FL-PARK', 'Garage', 14, 20, true],
  ],
};
/** Kinds of places that spaces are in, by the kind of the space. */
const fitting: Readonly<Record<string, readonly string[]>> = {
  'FL-HALL': ['area'],
  'FL-STOR': ['warehouse', 'storeroom'],
  'FL-OFF': ['room'],
  'FL-MEET': ['room'],
  'FL-FLAT': ['area'],
  'FL-PARK': ['area'],
  'FL-SHOP': ['area'],
};
const { between } = random('flaeche');

/** Spaces from 1 on, the main space of each building first. */
export const spaces: readonly Space[] = properties
  .flatMap((property) => (layouts[property.kind] ?? []).map((layout) => ({ property, layout })))
  .map(({ property, layout: [kind, name, low, high, isRentable] }, index) => ({
    flnr: index + 1,
    property,
    name: `${name} ${property.city}`,
    kind,
    area: between(low * 10, high * 10) / 10,
    isRentable,
  }));

export function spaceTable(): SeedTable {
  const { chance, pick } = random('flaeche-data');
  const rows = spaces.map(({ flnr, property, name, kind, area, isRentable }): SeedRow => {
    const main = spaces.find((space) => space.property === property);
    const inside = places.filter((place) => place.werknr === property.werknr && fitting[kind]?.includes(place.kind));
    const isPart = main !== undefined && main.flnr !== flnr && main.kind === kind;
    return {
      flnr,
      kz: `SP-${flnr}`,
      bez: name,
      beschr: chance(0.15) ? pick(['Air-conditioned', 'North side', 'Floor load 1,000 kg']) : null,
      lgnr: property.lgnr,
      platznr: pick(inside).platznr,
      ueber: isPart && property.kind !== 'LG-RES' ? main.flnr : null,
      geschoss: kind === 'FL-OFF' || kind === 'FL-MEET' ? '1' : pick(['0', '0', '-1', '2']),
      art: kind,
      qm: withComma(area),
      eh: 'M2',
      plaetze: kind === 'FL-STOR' ? null : Math.max(Math.round(area / 12), 1),
      kz_miete: isRentable ? 'J' : 'N',
      gesperrt: !isRentable && chance(0.04) ? 'X' : ' ',
      angelegt: '20050101',
      changed_at: daysAgo(1 + (flnr % 300)).toISOString(),
    };
  });
  return { table: 'flaeche', rows };
}
