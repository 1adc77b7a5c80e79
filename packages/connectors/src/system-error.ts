/**
 * The outcome of a call to a connected system that failed.
 *
 * - `unavailable` certainly not done (no connection, overload, maintenance): may be tried again
 * - `throttled` certainly not done: more calls than the system takes from us; may be tried again later
 * - `conflict` certainly not done: another user or process is changing the same data; may be tried again
 * - `unauthorized` the credentials are refused: nothing helps but new ones
 * - `forbidden` the credentials are good, but their user may not do this
 * - `rejected` the system understood and refused, in its own words: do not repeat unchanged
 * - `duplicate` the same, because it has a record with this unique value
 * - `in-use` the same, because other records refer to the one that was to be deleted
 * - `gone` the record that was to be changed does not exist any more
 * - `invalid` the response makes no sense; after a write treat it as `unknown`
 * - `unknown` the request was sent, its outcome is not known (timeout, broken socket): look before repeating
 * - `payment` the account with the system must be paid or upgraded first
 */
export type SystemErrorKind =
  | 'unavailable'
  | 'throttled'
  | 'conflict'
  | 'unauthorized'
  | 'forbidden'
  | 'rejected'
  | 'duplicate'
  | 'in-use'
  | 'gone'
  | 'invalid'
  | 'unknown'
  | 'payment';

/** Characters of the text of a failure. */
const LONGEST = 2_000;

/** Control characters besides those of lines and tabs: PostgreSQL does not store NUL, and a terminal obeys others. */
const CONTROLS = /[^\P{Cc}\t\n\r]/gu;

/**
 * A failure of a connected system. `words` is its own text, fit to be shown to its users: without secrets, at most 2,000
 * characters, with U+FFFD instead of control characters and halves of surrogate pairs. A text of the system that is not fit
 * for them is the `cause`, as a string: it is logged at level debug only.
 */
export class SystemError extends Error {
  override readonly name = 'SystemError';
  readonly kind: SystemErrorKind;
  readonly words: string;
  /** Seconds to wait before the next call, where the system requested it. */
  readonly retryAfter?: number;
  /** Columns of the stream that a refusal is about, where the system names them. */
  readonly columns: readonly string[];

  constructor(
    kind: SystemErrorKind,
    words: string,
    options: { retryAfter?: number; columns?: readonly string[]; cause?: unknown } = {},
  ) {
    const shown = fitToShow(words);
    super(`${kind}: ${shown}`, { cause: options.cause });
    this.kind = kind;
    this.words = shown;
    this.columns = options.columns ?? [];
    if (options.retryAfter !== undefined) this.retryAfter = options.retryAfter;
  }
}

function fitToShow(words: string): string {
  const cut = words.length > LONGEST ? `${words.slice(0, LONGEST - 1)}…` : words;
  return cut.toWellFormed().replace(CONTROLS, '\u{FFFD}');
}
