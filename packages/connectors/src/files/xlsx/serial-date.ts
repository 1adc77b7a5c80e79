const DAY_MS = 86_400_000;

/** Days between the two beginnings of counting. */
const FROM_1904 = 1_462;

/** The day that is counted as 60, 1900-02-29, does not exist: days before it are one later than their number says. */
const NO_DAY = 60;

/**
 * The date or time that a number means: `2026-11-20`, `2026-11-20T09:30:00`, or `09:30:00` for less than a day. It has no time
 * zone. Null for numbers that are no date.
 */
export function serialDate(serial: number, isFrom1904: boolean): string | null {
  const days = isFrom1904 ? serial + FROM_1904 : serial;
  if (!(serial >= 0) || days >= 2_958_466) return null;
  const shifted = isFrom1904 || days >= NO_DAY ? days : days + 1;
  const at = new Date(Math.round(shifted * DAY_MS) + Date.UTC(1899, 11, 30)).toISOString().replace(/(\.000)?Z$/, '');
  if (serial < 1) return at.slice(11);
  return at.endsWith('T00:00:00') ? at.slice(0, 10) : at;
}
