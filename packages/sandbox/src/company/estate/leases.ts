import { type Random, random } from '../../random.ts';
import type { SeedRow, SeedTable } from '../../row.ts';
import { compactDay, compactTime, daysAgo, dottedDay, withComma } from '../../time.ts';
import { customers } from '../master/partners.ts';
import { foremen, people } from '../master/people.ts';
import { rentCharges, rentSchedule } from './rent.ts';
import { type Space, spaces } from './spaces.ts';

const currencyOf: Readonly<Record<string, string>> = { '020': 'GBP', '030': 'PLN' };
const companyNumber: Readonly<Record<string, number>> = { '001': 1, '010': 2, '020': 3, '030': 4 };
const rentable = spaces.filter(({ isRentable }) => isRentable);

interface Tenancy {
  readonly space: Space;
  readonly status: string;
  /** Days before today; negative in the future. */
  readonly begins: number;
  readonly ends: number | null;
  readonly tenant: readonly [kind: string, number: number];
  readonly monthly: number;
  readonly months: number;
}

/**
 * The last lease of every rentable space and, for half of them, the previous one; applications for two of three leases.
 */
export function leaseTables(): SeedTable[] {
  const random_ = random('mietvertrag');
  const tenancies = rentable.flatMap((space, index) => [
    ...(index % 2 === 0 ? [past(space, random_)] : []),
    current(space, random_),
  ]);
  const contracts = tenancies.map((tenancy, index) => lease(index + 1, tenancy, random_));
  const granted = tenancies
    .map((tenancy, index) => ({ tenancy, mvnr: index + 1 }))
    .filter(({ mvnr }) => mvnr % 3 !== 0);
  const applications = granted.map(({ tenancy, mvnr }, index) => application(index + 1, tenancy, mvnr, random_));
  const open = rentable.map((space, index) => wish(granted.length + index + 1, space, random_));
  return [
    { table: 'mietantrag', rows: [...applications, ...open] },
    { table: 'mietvertrag', rows: contracts },
  ];
}

function past(space: Space, random_: Random): Tenancy {
  const begins = random_.between(1_900, 3_000);
  const ends = random_.between(1_100, 1_800);
  return { ...base(space, random_), status: random_.weighted({ X: 70, T: 30 }), begins, ends, months: 36 };
}

function current(space: Space, random_: Random): Tenancy {
  const { between, chance, weighted } = random_;
  const status = weighted({ A: 70, K: 10, E: 6, W: 6, X: 4, T: 4 });
  const isAhead = status === 'E' || status === 'W';
  const begins = isAhead ? -between(20, 120) : between(200, 1_000);
  const months = 12 * between(1, 5);
  const ended = status === 'X' || status === 'T' ? between(1, 150) : null;
  const ends =
    status === 'K' ? -between(20, 90) : (ended ?? (chance(0.4) ? null : Math.min(begins, 0) - between(60, 1_200)));
  return { ...base(space, random_), status, begins, ends, months };
}

/** Apartments are rented to employees, everything else to customers. */
function base(space: Space, { between, pick }: Random): Omit<Tenancy, 'status' | 'begins' | 'ends' | 'months'> {
  const isHome = space.property.kind === 'LG-RES';
  return {
    space,
    tenant: isHome ? ['P', pick(people).persnr] : ['K', pick(customers).number],
    monthly: Math.round(space.area * between(600, 1_800)),
  };
}

function lease(mvnr: number, tenancy: Tenancy, { between, chance, pick }: Random): SeedRow {
  const { space, status, begins, ends, tenant, monthly } = tenancy;
  const { lgnr, mand, kind } = space.property;
  const moved = !'EW'.includes(status);
  const left = status === 'X' || status === 'T';
  const turnus = kind === 'LG-RES' ? 'M' : pick(['M', 'M', 'Q', 'J']);
  const rises = chance(0.5) && !left;
  const noticed = between(1, 30);
  const day = (when: boolean, days: number) => (when ? dottedDay(daysAgo(days)) : null);
  return {
    mvnr,
    kz: `LS-${mvnr}`,
    beschr: chance(0.2) ? 'Two parking spaces included' : null,
    lgnr,
    flnr: space.flnr,
    mieter_art: tenant[0],
    mieter: tenant[1],
    verm_art: 'M',
    vermieter: companyNumber[mand] ?? 2,
    manr: mvnr % 3 === 0 ? null : applicationNumber(mvnr),
    art: kind === 'LG-RES' ? 'W' : pick(['B', 'N', 'N', 'T', 'E']),
    status,
    beginn: dottedDay(daysAgo(begins)),
    ende: ends === null ? null : dottedDay(daysAgo(ends)),
    einzug: day(moved, begins - between(0, 3)),
    auszug: day(left, (ends ?? 0) + 1),
    gekuendigt: day(status === 'K' || status === 'T', status === 'K' ? noticed : (ends ?? 0) + 90),
    miete_ct: monthly * (turnus === 'M' ? 1 : turnus === 'Q' ? 3 : 12),
    waehr: currencyOf[mand] ?? 'EUR',
    turnus,
    kaution_ct: chance(0.8) ? monthly * 3 : null,
    staffel: rises ? withComma(between(10, 40) / 10) : null,
    staffel_ab: day(rises, Math.min(begins, 0) - 365),
    raten: rentSchedule({ begins, ends, turnus, monthly }),
    nebenkosten: rentCharges({ begins, ends, turnus, monthly }, mvnr, kind === 'LG-RES'),
    kz_option: chance(0.4) ? 'J' : 'N',
    qm: withComma(space.area),
    eh: 'M2',
    bem: chance(0.1) ? 'Heating meter is read in December' : null,
    angelegt: compactDay(daysAgo(Math.max(begins + 30, 1))),
    changed_at: daysAgo(
      Math.max(left ? (ends ?? 0) : status === 'K' ? noticed : Math.min(begins, 300), 0.5),
    ).toISOString(),
  };
}

/** Two of three leases have an application, numbered in the order of the leases. */
function applicationNumber(mvnr: number): number {
  return mvnr - Math.floor(mvnr / 3);
}

function application(manr: number, tenancy: Tenancy, mvnr: number, random_: Random): SeedRow {
  const { space, begins, tenant, monthly, months } = tenancy;
  const decided = Math.max(begins + random_.between(31, 60), 2);
  return {
    ...wanted(manr, space, tenant, random_),
    status: 'G',
    eingang: compactTime(daysAgo(decided + 8.25)),
    entschieden: compactTime(daysAgo(decided)),
    entscheider: random_.pick(foremen),
    ab: dottedDay(daysAgo(begins)),
    monate: months,
    gebot_ct: monthly,
    mvnr,
    angelegt: compactDay(daysAgo(decided + 8.25)),
    changed_at: daysAgo(decided).toISOString(),
  };
}

/** An application without a lease. */
function wish(manr: number, space: Space, random_: Random): SeedRow {
  const { between, pick, weighted } = random_;
  const status = weighted({ E: 10, S: 25, P: 25, A: 25, Z: 15 });
  const tenant = base(space, random_).tenant;
  const isDecided = status === 'A';
  const came = isDecided || status === 'Z' ? between(20, 600) : between(1, 20);
  return {
    ...wanted(manr, space, tenant, random_),
    status,
    eingang: status === 'E' ? null : compactTime(daysAgo(came)),
    entschieden: isDecided ? compactTime(daysAgo(came - 8.5)) : null,
    entscheider: isDecided ? pick(foremen) : null,
    ab: dottedDay(daysAgo(came - 60)),
    monate: between(1, 5) * 12,
    gebot_ct: Math.round(space.area * between(500, 1_700)),
    mvnr: null,
    angelegt: compactDay(daysAgo(came)),
    changed_at: daysAgo(Math.max(came - 9, 0.5)).toISOString(),
  };
}

function wanted(
  manr: number,
  space: Space,
  [kind, number]: Tenancy['tenant'],
  { between, chance, pick }: Random,
): SeedRow {
  return {
    manr,
    kz: `LA-${manr}`,
    beschr: chance(0.3) ? pick(['Showroom for spare parts', 'Archive', 'Flat near the plant']) : null,
    bew_art: kind,
    bewerber: number,
    lgnr: space.property.lgnr,
    flnr: space.flnr,
    waehr: currencyOf[space.property.mand] ?? 'EUR',
    einkommen: chance(0.6) ? withComma(between(30, 400) * 1_000) : null,
    punkte: chance(0.5) ? between(480, 990) : null,
    bem: chance(0.1) ? 'Good references from the previous landlord' : null,
  };
}
