/**
 * What became of a call to a connected system that did not end well.
 *
 * - `unavailable` certainly not done (no connection, overload, maintenance): may be tried again
 * - `unauthorized` the credentials are refused: nothing helps but new ones
 * - `rejected` the system understood and said no, in its own words: do not repeat unchanged
 * - `invalid` the answer makes no sense; after a write treat it as `unknown`
 * - `unknown` the request was sent, its outcome is not known (timeout, broken socket): look before repeating
 * - `payment` the account with the system must be paid or upgraded first
 */
export type SystemErrorKind = 'unavailable' | 'unauthorized' | 'rejected' | 'invalid' | 'unknown' | 'payment';

/** A failure of a connected system. `words` is its own text, fit to be shown to its users; it never holds secrets. */
export class SystemError extends Error {
  override readonly name = 'SystemError';
  readonly kind: SystemErrorKind;
  readonly words: string;
  /** Seconds to wait before the next call, where the system asked for it. */
  readonly retryAfter?: number;

  constructor(kind: SystemErrorKind, words: string, options: { retryAfter?: number; cause?: unknown } = {}) {
    super(`${kind}: ${words}`, { cause: options.cause });
    this.kind = kind;
    this.words = words;
    if (options.retryAfter !== undefined) this.retryAfter = options.retryAfter;
  }
}
