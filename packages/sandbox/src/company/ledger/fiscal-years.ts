import type { SeedRow, SeedTable } from '../../row.ts';
import { compactDay, daysAgo, enteredBy, THIS_YEAR } from '../../time.ts';

const DAY = 86_400_000;
/** The two years after the current one are also open, so that a company that was seeded long ago can still post. */
const YEARS = [-4, -3, -2, -1, 0, 1, 2].map((distance) => THIS_YEAR + distance);
const TODAY = compactDay(daysAgo(0));
/** Periods are closed to all but accountants when they end, and permanently after about two months. */
const CLOSED_BEFORE = compactDay(daysAgo(80));

export interface Period {
  readonly pernr: number;
  readonly calendar: number;
  readonly year: number;
  readonly number: number;
  /** YYYYMMDD */
  readonly from: string;
  readonly to: string;
  readonly isAdjustment: boolean;
}

/** Calendars of the company by number: key, first day of each regular period of a year, adjustment periods. */
const calendars: readonly (readonly [
  kalnr: number,
  key: string,
  starts: (year: number) => Date[],
  adjustments: number,
])[] = [
  [1, 'FY-CAL', (year) => months(year, 0), 1],
  [2, 'FY-APR', (year) => months(year, 3), 1],
  [3, 'FY-445', (year) => weeks(year, [4, 4, 5, 4, 4, 5, 4, 4, 5, 4, 4, 5]), 0],
  [
    4,
    'FY-13',
    (year) =>
      weeks(
        year,
        Array.from({ length: 13 }, () => 4),
      ),
    1,
  ],
];

/** Year 2026 of calendar 1 has the number 12026. */
export const yearNumber = (calendar: number, year: number) => calendar * 10_000 + year;

/** Every period; period 11 of 2026 in calendar 1 has the number 1202611. */
export const periods: readonly Period[] = calendars.flatMap(([calendar, , starts, adjustments]) =>
  YEARS.flatMap((year) => periodsOf(calendar, year, [...starts(year), ...starts(year + 1).slice(0, 1)], adjustments)),
);

function periodsOf(calendar: number, year: number, starts: readonly Date[], adjustments: number): Period[] {
  const last = compactDay(new Date((starts.at(-1)?.getTime() ?? 0) - DAY));
  const regular = starts.slice(0, -1).map((start, index) => ({
    number: index + 1,
    from: compactDay(start),
    to: compactDay(new Date((starts[index + 1]?.getTime() ?? 0) - DAY)),
    isAdjustment: false,
  }));
  const closing = Array.from({ length: adjustments }, (_, index) => ({
    number: regular.length + index + 1,
    from: last,
    to: last,
    isAdjustment: true,
  }));
  return [...regular, ...closing].map((period) => ({
    ...period,
    pernr: yearNumber(calendar, year) * 100 + period.number,
    calendar,
    year,
  }));
}

function months(year: number, first: number): Date[] {
  return Array.from({ length: 12 }, (_, month) => new Date(Date.UTC(year, first + month, 1)));
}

/**
 * Periods with these numbers of weeks, from the Monday of the first ISO week; the last one takes the remaining weeks.
 */
function weeks(year: number, lengths: readonly number[]): Date[] {
  const fourth = new Date(Date.UTC(year, 0, 4));
  let start = fourth.getTime() - ((fourth.getUTCDay() + 6) % 7) * DAY;
  return lengths.map((length) => {
    const begun = new Date(start);
    start += length * 7 * DAY;
    return begun;
  });
}

function stateOf({ to }: { readonly to: string }): string {
  if (to < CLOSED_BEFORE) return 'G';
  return to < TODAY ? 'V' : 'O';
}

export function fiscalYearTable(): SeedTable {
  const rows = calendars.flatMap(([kalnr, key]) =>
    YEARS.map((year): SeedRow => {
      const own = periods.filter((period) => period.calendar === kalnr && period.year === year);
      const [von = '', bis = ''] = [own[0]?.from, own.at(-1)?.to];
      return {
        gjnr: yearNumber(kalnr, year),
        kz: `${key}-${year}`,
        bez: `${key} ${year}`,
        beschr: year === YEARS[0] ? 'First year kept in this system' : null,
        kalnr,
        von,
        bis,
        zustand: stateOf({ to: bis }) === 'G' ? 'G' : 'O',
        aktiv: year >= THIS_YEAR - 1 ? 'J' : 'N',
        angelegt: enteredBy(`${year - 1}1101`, 1),
        changed_at: daysAgo(year >= THIS_YEAR ? 10 : 300).toISOString(),
      };
    }),
  );
  return { table: 'gjahr', rows };
}

export function fiscalPeriodTable(): SeedTable {
  const keys = new Map(calendars.map(([kalnr, key]) => [kalnr, key]));
  const rows = periods.map((period): SeedRow => {
    const { pernr, calendar, year, number, from, to, isAdjustment } = period;
    const key = keys.get(calendar) ?? '';
    const numeral = String(number).padStart(2, '0');
    return {
      pernr,
      kz: `${key}-${year}-${numeral}`,
      bez: `${key} ${year}/${numeral}`,
      beschr: isAdjustment ? 'Closing entries' : null,
      gjnr: yearNumber(calendar, year),
      lfd: number,
      von: from,
      bis: to,
      zustand: stateOf(period),
      sonder: isAdjustment ? 'J' : 'N',
      angelegt: enteredBy(`${year - 1}1101`, 1),
      changed_at: daysAgo(stateOf(period) === 'G' ? 60 : 15).toISOString(),
    };
  });
  return { table: 'periode', rows };
}
