import { SystemError } from '../system-error.ts';
import { HttpFailure } from './http-failure.ts';

/**
 * What a request without an answer means to those who wait for it. `changes` tells whether the request could have
 * changed something: a read may always be repeated, a change only when it was certainly not sent.
 */
export function systemErrorOf(error: unknown, options: { changes: boolean }): unknown {
  if (!(error instanceof HttpFailure)) return error;
  const kind = error.sent && options.changes ? 'unknown' : error.reason === 'too-large' ? 'invalid' : 'unavailable';
  return new SystemError(kind, error.message, { cause: error });
}

/** Seconds that a `Retry-After` header asks to wait (a number or a date); undefined without one. */
export function retryAfterSeconds(header: string | string[] | undefined, now: Date = new Date()): number | undefined {
  const text = Array.isArray(header) ? header[0] : header;
  if (text === undefined || text.trim() === '') return undefined;
  const seconds = /^\d+$/.test(text.trim()) ? Number(text) : (Date.parse(text) - now.getTime()) / 1000;
  return Number.isFinite(seconds) ? Math.min(Math.max(Math.ceil(seconds), 0), 86_400) : undefined;
}
