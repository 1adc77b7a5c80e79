const DAY = 86_400_000;
const today = Math.floor(Date.now() / DAY) * DAY;

/** YYYY-MM-DD of the day so many days after today, in UTC. The company is seeded on the day of the tests, so most dates count from it. */
export function day(after: number): string {
  return new Date(today + after * DAY).toISOString().slice(0, 10);
}

/** The calendar year of today. */
export const THIS_YEAR = new Date(today).getUTCFullYear();

/** YYYY-MM-DD of the day so many days after the end of this month. */
export function daysAfterMonth(days: number): string {
  const now = new Date(today);
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, days)).toISOString().slice(0, 10);
}
