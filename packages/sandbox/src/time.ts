import { workerData } from 'node:worker_threads';

const DAY = 86_400_000;
/** The company opens at six in the morning, UTC. */
const OPENING = DAY / 4;
const seededAt: number = workerData?.seededAt ?? Date.now();
/** The last opening time before the company was seeded; all its dates are relative to it. */
const NOW = Math.floor((seededAt - OPENING) / DAY) * DAY + OPENING;

/** Calendar year in which the company was seeded. */
export const THIS_YEAR = new Date(NOW).getUTCFullYear();

/** The time this number of days (or fractions) before the seed date. */
export function daysAgo(days: number): Date {
  return new Date(NOW - Math.round((days * DAY) / 60_000) * 60_000);
}

/** YYYYMMDD */
export function compactDay(date: Date): string {
  return date.toISOString().slice(0, 10).replaceAll('-', '');
}

/** The start of a day given as YYYYMMDD. */
export function dayOf(compact: string): Date {
  return new Date(`${compact.slice(0, 4)}-${compact.slice(4, 6)}-${compact.slice(6, 8)}T00:00:00Z`);
}

/** YYYY-MM-DD */
export function isoDay(date: Date): string {
  return date.toISOString().slice(0, 10);
}

/** DD.MM.YYYY */
export function dottedDay(date: Date): string {
  const [year, month, day] = date.toISOString().slice(0, 10).split('-');
  return `${day}.${month}.${year}`;
}

/** YYYYMMDDhhmmss */
export function compactTime(date: Date): string {
  return date.toISOString().slice(0, 19).replaceAll(/[-:T]/g, '');
}

/** A number as the system stores it in text: 1234,50 */
export function withComma(value: number): string {
  return value.toFixed(2).replace('.', ',');
}

/** A day (YYYYMMDD) on which something was entered: at least this many days ago, because nothing is entered in the future. */
export function enteredBy(day: string, days: number): string {
  const latest = compactDay(daysAgo(days));
  return day > latest ? latest : day;
}

/** Days (with fractions) from a timestamp to the seed date. */
export function daysSince(moment: unknown): number {
  return (NOW - Date.parse(String(moment))) / DAY;
}

/** DD.MM.YYYY of YYYYMMDD or YYYYMMDDhhmmss */
export function dottedFrom(compact: unknown): string {
  const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)/.exec(String(compact)) ?? [];
  return `${day}.${month}.${year}`;
}
