const DATE_TIME =
  /^(?<date>\d{4}-\d{2}-\d{2})(?:[Tt](?<time>(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60))(?<fraction>\.\d+)?(?<zone>[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d))?$/;

const FIRST = Date.parse('0001-01-01T00:00:00Z');
const LAST = Date.parse('9999-12-31T23:59:59Z');
/** A decimal point and nine digits, that is, nanoseconds; the database rounds them. */
const LONGEST_FRACTION = 10;

/** What to send as a timestamp in an address. */
export const TIMESTAMP_ADVICE =
  'Send a date or a date-time with offset, for example 2026-11-01T00:00:00Z (a + as %2B).';

/**
 * The timestamp in UTC of a date (its midnight) or an RFC 3339 date-time with offset, for example `2026-11-20T10:00:00.5Z`. A
 * leap second becomes the following second. A timestamp that is within the years 1 to 9999 but whose UTC form is not becomes
 * the first or last second of that range. Undefined if the text is neither, or not an existing day and time.
 */
export function parseTimestamp(text: string): string | undefined {
  const { date, time, fraction = '', zone } = DATE_TIME.exec(text)?.groups ?? {};
  if (date === undefined || date.startsWith('0000') || !isRealDate(date)) return undefined;
  if (time === undefined || zone === undefined) return `${date}T00:00:00Z`;
  const isLeap = time.endsWith(':60');
  const second = Date.parse(`${date}T${time.replace(/60$/, '59')}${zone.toUpperCase()}`) + (isLeap ? 1000 : 0);
  const within = Math.min(LAST, Math.max(FIRST, second));
  const rest = isLeap || within !== second ? '' : fraction.slice(0, LONGEST_FRACTION);
  return `${new Date(within).toISOString().slice(0, 19)}${rest}Z`;
}

/** Whether `text` (YYYY-MM-DD) is a day of the calendar: `2026-02-30` is not. */
function isRealDate(text: string): boolean {
  const midnight = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(text);
}
