const DAY = 86_400_000;
/** The day on which the sandbox company was last used; all its dates are counted from here. */
const TODAY = Date.UTC(2026, 10, 20, 6, 0, 0);

/** So many days (fractions too) before that day. */
export function daysAgo(days: number): Date {
  return new Date(TODAY - Math.round((days * DAY) / 60_000) * 60_000);
}

/** YYYYMMDD */
export function compactDay(date: Date): string {
  return date.toISOString().slice(0, 10).replaceAll('-', '');
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

/** A number the way the system keeps it as text: 1234,50 */
export function withComma(value: number): string {
  return value.toFixed(2).replace('.', ',');
}

/** How many days (fractions too) before that day a moment lies. */
export function daysSince(moment: unknown): number {
  return (TODAY - Date.parse(String(moment))) / DAY;
}

/** DD.MM.YYYY of YYYYMMDD or YYYYMMDDhhmmss */
export function dottedFrom(compact: unknown): string {
  const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)/.exec(String(compact)) ?? [];
  return `${day}.${month}.${year}`;
}
