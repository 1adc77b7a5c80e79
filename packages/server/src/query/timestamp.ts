const DATE_TIME =
  /^(?<date>\d{4}-\d{2}-\d{2})(?:[Tt](?<time>\d{2}:\d{2}:\d{2})(?<fraction>\.\d{1,9})?(?<zone>[Zz]|[+-](?:0\d|1[0-4]):[0-5]\d))?$/;

/**
 * The timestamp in UTC of a date (its midnight) or an RFC 3339 date-time with offset, for example
 * `2026-11-20T10:00:00.5Z`. Undefined if it is neither, or not an existing day and time between the years 1 and 9999.
 */
export function parseTimestamp(text: string): string | undefined {
  const { date, time, fraction = '', zone } = DATE_TIME.exec(text)?.groups ?? {};
  if (date === undefined || !isRealDate(date)) return undefined;
  if (time === undefined || zone === undefined) return date.startsWith('0000') ? undefined : `${date}T00:00:00Z`;
  const moment = new Date(`${date}T${time}${zone.toUpperCase()}`);
  if (Number.isNaN(moment.getTime()) || time.startsWith('24')) return undefined;
  const year = moment.getUTCFullYear();
  if (year < 1 || year > 9999) return undefined;
  return `${moment.toISOString().slice(0, 19)}${fraction}Z`;
}

/** Whether `text` (YYYY-MM-DD) is a day of the calendar: `2026-02-30` is not. */
function isRealDate(text: string): boolean {
  const midnight = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(text);
}
