import { isFailedAddress } from '../net/address-guard.ts';
import { SystemError } from '../system-error.ts';

/**
 * Why a request got no response.
 *
 * `forbidden` the address may not be called · `unreachable` no such name, refused, no route, TLS handshake failed ·
 * `timeout` · `broken` the connection ended or its data is not HTTP · `too-large` the response exceeds the limit · `aborted` by
 * the caller
 */
export type HttpFailureReason = 'forbidden' | 'unreachable' | 'timeout' | 'broken' | 'too-large' | 'aborted';

/**
 * A request that got no complete response. With `sent: false`, nothing was sent, so it certainly had no effect; with `sent:
 * true`, its effect is unknown.
 */
export class HttpFailure extends Error {
  override readonly name = 'HttpFailure';
  readonly reason: HttpFailureReason;
  readonly sent: boolean;
  /** Status of the response, if it had begun. */
  readonly status: number | undefined;

  constructor(reason: HttpFailureReason, sent: boolean, message: string, cause?: unknown, status?: number) {
    super(message, { cause });
    this.reason = reason;
    this.sent = sent;
    this.status = status;
  }
}

/**
 * The `SystemError` for a request without a response. `changes` is whether the request could have changed something: a read may
 * always be repeated, a change only if it was certainly not sent.
 */
export function systemErrorOf(error: unknown, options: { changes: boolean }): unknown {
  if (!(error instanceof HttpFailure)) return error;
  const kind = error.sent && options.changes ? 'unknown' : error.reason === 'too-large' ? 'invalid' : 'unavailable';
  const shown = isFailedAddress(error) && { clientWords: 'The connected system cannot be reached' };
  return new SystemError(kind, error.message, { cause: error, ...shown });
}

/** Seconds to wait according to a `Retry-After` header (a number or a date); undefined without one. */
export function retryAfterSeconds(header: string | string[] | undefined, now: Date = new Date()): number | undefined {
  const text = Array.isArray(header) ? header[0] : header;
  if (text === undefined || text.trim() === '') return undefined;
  const seconds = /^\d+$/.test(text.trim()) ? Number(text) : (Date.parse(text) - now.getTime()) / 1000;
  return Number.isFinite(seconds) ? Math.min(Math.max(Math.ceil(seconds), 0), 86_400) : undefined;
}
