const LONGEST = 2 ** 31 - 1;

/**
 * A signal that aborts after this number of milliseconds, which may be `Infinity`. Timers accept only integers up to 24
 * days.
 */
export function deadline(milliseconds: number): AbortSignal {
  return AbortSignal.timeout(Math.min(LONGEST, Math.max(0, Math.ceil(milliseconds))));
}
