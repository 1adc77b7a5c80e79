import { cityCenters } from '../../data/city-centers.ts';
import { random } from '../../random.ts';
import type { SeedRow, SeedTable } from '../../row.ts';
import { compactDay, daysAgo } from '../../time.ts';
import { hostOf } from './company-name.ts';
import { companies } from './departments.ts';
import { phoneIn, streetIn } from './local.ts';
import { customers, type TradingRecord, vendors } from './partners.ts';
import { citiesNear, people } from './people.ts';
import { type City, cities, plantAddress } from './places.ts';

/** About 3,000 addresses of vendors, customers, employees, companies and plants. */
export function addressTable(): SeedTable {
  const random_ = random('adresse');
  const { between, chance, pick } = random_;
  const rows: SeedRow[] = [];
  const add = (
    owner: string,
    number: number,
    purpose: string,
    name: string,
    city: City,
    main: boolean,
    street?: string,
  ) => {
    const created = between(30, 6_000);
    const nth = rows.length;
    const [breite = null, laenge = null] = cityCenters[city.name] ?? [];
    rows.push({
      adrnr: 10_001 + rows.length,
      kz: `AD-${10_001 + rows.length}`,
      bezug_art: owner,
      bezug: number,
      zweck: purpose,
      beschr: chance(0.1) ? 'Goods entrance behind the building' : null,
      name,
      zeile1: street ?? streetIn(city, random_),
      zeile2: chance(0.15) ? `Building ${pick(['A', 'B', 'C', 'D'])}` : null,
      zeile3: nth % 50 === 7 ? 'Industrial estate North' : null,
      zeile4: nth % 100 === 7 ? 'Dock 3' : null,
      plz: pick(city.postalCodes),
      ort: city.name,
      kreis: nth % 12 === 5 ? `District of ${city.name}` : null,
      bundesland: city.region,
      lkz: city.country,
      ortnr: city.ortnr,
      breite,
      laenge,
      tel: chance(0.3) ? phoneIn(city, random_) : null,
      fax: nth % 25 === 3 ? phoneIn(city, random_) : null,
      mail: owner !== 'P' && nth % 10 === 1 ? `goods@${hostOf(name)}` : null,
      haupt: main ? 'J' : 'N',
      aktiv: chance(0.97) ? 'J' : 'N',
      bem: nth % 40 === 9 ? 'Deliveries before noon' : null,
      angelegt: compactDay(daysAgo(created)),
      changed_at: daysAgo(between(0, created)).toISOString(),
    });
  };
  const ofRecord = (owner: string, { number, name, city }: TradingRecord) => {
    add(owner, number, 'R', name, city, true);
    if (chance(0.02)) add(owner, number, 'L', name, pick(cities), false);
  };
  for (const vendor of vendors) ofRecord('L', vendor);
  for (const customer of customers) ofRecord('K', customer);
  for (const { persnr, first, last, mand } of people.filter((_, index) => index % 3 === 0)) {
    add('P', persnr, 'P', `${first} ${last}`, pick(citiesNear(mand)), true);
  }
  for (const { mandnr, address } of companies) add('M', mandnr, 'B', 'Northwind', address.city, true, address.street);
  for (let plant = 1_000; plant < 1_120; plant += 10) {
    const { city, street } = plantAddress(plant);
    add('W', plant, 'W', 'Northwind', city, true, street);
  }
  return { table: 'adresse', rows };
}
