import { SystemError } from '../system-error.ts';

const PAUSES: ReadonlySet<SystemError['kind']> = new Set(['throttled', 'unavailable']);

/** Whether a system cannot be called now, but could be before: what was read so far is a page. */
export function isPause(error: unknown): boolean {
  return error instanceof SystemError && PAUSES.has(error.kind);
}
