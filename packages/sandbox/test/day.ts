const DAY = 86_400_000;

/** The start of the current day. Tests can begin on the day before. */
const today = () => Math.floor(Date.now() / DAY) * DAY;

/** The date this many days after today, as YYYY-MM-DD in UTC. The company is seeded on the day of the tests. */
export function day(after: number): string {
  return new Date(today() + after * DAY).toISOString().slice(0, 10);
}

/** The current year, in UTC. */
export const THIS_YEAR = new Date(today()).getUTCFullYear();

/** The date this many days after the end of this month, as YYYY-MM-DD. */
export function daysAfterMonth(days: number): string {
  const now = new Date(today());
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, days)).toISOString().slice(0, 10);
}
