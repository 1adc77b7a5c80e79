/**
 * Milliseconds before attempt number `attempt` (starting at 1) is repeated: 1, 2, 4, 8 … seconds or the wait that the
 * response requests, whichever is longer, with up to a quarter of jitter.
 */
export function waitBeforeRetry(attempt: number, retryAfter: number, random: () => number = Math.random): number {
  return Math.max(2 ** (attempt - 1) * 1000, retryAfter) * (1 + random() / 4);
}

/** Milliseconds of `Retry-After`, which is in seconds or a date; undefined without it. */
export function retryAfterOf(response: Response): number | undefined {
  const value = response.headers.get('Retry-After')?.trim() ?? '';
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}
