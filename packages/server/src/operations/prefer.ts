/** How long the client wants to wait for the outcome of a write (RFC 7240). */
export interface Preference {
  readonly milliseconds: number;
  /** Whether the write record is wanted at once, however far the write has come. */
  readonly asynchronous: boolean;
  /** Value of `Preference-Applied`; absent when the client preferred nothing that is known. */
  readonly applied?: string;
}

/** How long the outcome of a write is waited for where the client says nothing. */
export const OUTCOME_WAIT_MS = 10_000;

const LONGEST_SECONDS = 30;

/**
 * Reads a `Prefer` header: `wait=N` (at most 30 seconds) before `respond-async`. Unknown preferences are ignored, and
 * where nothing is preferred the wait is `byDefault` milliseconds; 0 answers at once.
 */
export function parsePrefer(header: string | undefined, byDefault: number): Preference {
  const preferences = (header ?? '').split(',').map((each) => each.split(';')[0]?.trim().toLowerCase() ?? '');
  const wait = preferences.map((each) => /^wait\s*=\s*"?(\d{1,9})"?$/.exec(each)?.[1]).find(Boolean);
  if (wait !== undefined) {
    const seconds = Math.min(Number(wait), LONGEST_SECONDS);
    return { milliseconds: seconds * 1000, asynchronous: false, applied: `wait=${seconds}` };
  }
  if (preferences.includes('respond-async')) return { milliseconds: 0, asynchronous: true, applied: 'respond-async' };
  return { milliseconds: byDefault, asynchronous: byDefault === 0 };
}
