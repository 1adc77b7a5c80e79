import { type Random, random } from '../../random.ts';
import type { SeedRow, SeedTable } from '../../row.ts';
import { daysAgo, enteredBy, THIS_YEAR, withComma } from '../../time.ts';
import { departments } from '../master/departments.ts';
import { foremen } from '../master/people.ts';
import { yearNumber } from './fiscal-years.ts';

/** Accounts that departments may spend from, with their annual cost in thousands. */
const costs: readonly (readonly [account: number, low: number, high: number])[] = [
  [55_030, 20, 90],
  [55_040, 5, 20],
  [56_050, 2, 12],
  [56_060, 4, 30],
  [56_510, 30, 240],
  [56_560, 6, 24],
  [56_710, 40, 180],
  [56_720, 15, 60],
  [56_740, 5, 25],
  [56_810, 1, 8],
  [56_860, 6, 40],
];
const calendarOf: Readonly<Record<string, number>> = { '020': 2 };
const currencyOf: Readonly<Record<string, string>> = { '020': 'GBP', '030': 'PLN' };
/** Status of the budgets of a year, by its distance from the current year. Budgets of the next year are still planned. */
const stateOf: Readonly<Record<number, string>> = { [-2]: 'C', [-1]: 'C', 0: 'A' };
/** Days since the budgets were last changed, by the same distance. */
const changedBefore: Readonly<Record<number, number>> = { [-2]: 640, [-1]: 280, 0: 20, 1: 1 };
const QUARTERS = [3, 6, 9, 12];
const month = daysAgo(0).getUTCMonth() + 1;

/** Budgets of every department for four years up to the next one, with a line for each account and quarter. */
export function budgetTables(): SeedTable[] {
  const random_ = random('budget');
  const heads: SeedRow[] = [];
  const positions: SeedRow[] = [];
  // The drafts for the coming year have the first numbers.
  for (const year of [1, 0, -1, -2].map((distance) => THIS_YEAR + distance)) {
    for (const department of departments) {
      const { head, lines } = budget(heads.length + 1, year, department, random_);
      heads.push(head);
      positions.push(...lines);
    }
  }
  return [
    { table: 'budget', rows: heads },
    { table: 'budgetpos', rows: positions },
  ];
}

function budget(
  budnr: number,
  year: number,
  { kst, name, mand }: (typeof departments)[number],
  random_: Random,
): { head: SeedRow; lines: SeedRow[] } {
  const { chance, pick } = random_;
  const status = stateOf[year - THIS_YEAR] ?? pick(['E', 'E', 'G']);
  const changed = daysAgo((changedBefore[year - THIS_YEAR] ?? 0) + (budnr % 20)).toISOString();
  const period = (quarter: number) => yearNumber(calendarOf[mand] ?? 1, year) * 100 + quarter;
  const lines = linesOf(budnr, { kst, year, changed, period }, random_);
  const cents = (column: string) => Math.round(lines.reduce((sum, row) => sum + Number(row[column]), 0) * 100);
  const isBritish = mand === '020';
  return {
    head: {
      budnr,
      kz: `BU-${budnr}`,
      bez: `${name} ${year}`,
      beschr: chance(0.2) ? 'Agreed with controlling' : null,
      gjnr: yearNumber(calendarOf[mand] ?? 1, year),
      mand,
      gegen: pick(['K', 'B', 'S']),
      kst,
      waehr: currencyOf[mand] ?? 'EUR',
      verantw: pick(foremen),
      status,
      revision: status === 'E' ? 1 : 1 + (budnr % 3),
      bei_ueber: pick(['S', 'W', 'W', 'I']),
      von: isBritish ? `01.04.${year}` : `01.01.${year}`,
      bis: isBritish ? `31.03.${year + 1}` : `31.12.${year}`,
      takt: 'Q',
      summe_ct: cents('betrag'),
      ist_ct: cents('ist'),
      obligo_ct: cents('obligo'),
      angelegt: enteredBy(`${year - 1}1015`, 30),
      changed_at: changed,
    },
    lines,
  };
}

function linesOf(
  budnr: number,
  { kst, year, changed, period }: { kst: string; year: number; changed: string; period: (quarter: number) => number },
  { between, chance, pick }: Random,
): SeedRow[] {
  const accounts = costs.filter(() => chance(0.4));
  const planned = accounts.length > 0 ? accounts : [pick(costs)];
  return planned.flatMap(([konto, low, high], account) => {
    const yearly = between(low, high) * 1_000;
    return QUARTERS.map((quarter, index): SeedRow => {
      const isOver = year < THIS_YEAR || (year === THIS_YEAR && quarter < month);
      const spent = isOver ? between(70, 104) / 100 : 0;
      const amount = yearly / 4;
      return {
        budnr,
        posnr: account * 4 + index + 1,
        konto,
        pernr: period(quarter),
        kst: chance(0.1) ? kst : null,
        betrag: amount,
        proz: withComma(25),
        ist: Math.round(amount * spent * 100) / 100,
        obligo:
          year === THIS_YEAR && month <= quarter && quarter < month + 3 ? Math.round(amount * between(0, 40)) / 100 : 0,
        bem: chance(0.1) ? 'Last year plus three percent' : null,
        angelegt: enteredBy(`${year - 1}1015`, 30),
        changed_at: changed,
      };
    });
  });
}
