const LONGEST = 2 ** 31 - 1;

/** Aborts after so many milliseconds; any number will do, `Infinity` as well. Timers take only whole ones up to 24 days. */
export function deadline(milliseconds: number): AbortSignal {
  return AbortSignal.timeout(Math.min(LONGEST, Math.max(0, Math.ceil(milliseconds))));
}
