import { cutText } from './cut-text.ts';
import type { KnownExplanation } from './explanation.ts';

/**
 * Why a call to a connected system failed, and whether it may have taken effect.
 *
 * - `unavailable` certainly not done (no connection, overload, maintenance): may be tried again
 * - `throttled` certainly not done: the system does not accept so many calls; may be tried again later
 * - `conflict` certainly not done: another user or process is changing the same data; may be tried again
 * - `outdated` certainly not done: the data was changed in the system after it was read here
 * - `unauthorized` the credentials are refused: they must be replaced
 * - `forbidden` the credentials are valid, but their user is not allowed to do this
 * - `rejected` the system understood and refused the request, with its own message: do not repeat unchanged
 * - `duplicate` like `rejected`, because it has a record with this unique value
 * - `in-use` like `rejected`, because other records refer to the one that was to be deleted
 * - `partial` a part was done, and the rest was refused or is unknown: the record must be read, do not repeat
 * - `gone` the record that was to be changed no longer exists
 * - `invalid` the response is unusable; after a write, treat it as `unknown`
 * - `unknown` the request was sent, its outcome is unknown (timeout, broken socket): check before repeating
 * - `unconfirmed` a create whose new record cannot be identified, not even by another search: do not repeat, a person must check
 * - `unsearched` a create with a complete response that does not identify the new record, while the list in which to search for
 *   it cannot be read: search later, do not repeat
 * - `payment` the account with the system must be paid or upgraded first
 */
export type SystemErrorKind =
  | 'unavailable'
  | 'throttled'
  | 'conflict'
  | 'outdated'
  | 'unauthorized'
  | 'forbidden'
  | 'rejected'
  | 'duplicate'
  | 'in-use'
  | 'partial'
  | 'gone'
  | 'invalid'
  | 'unknown'
  | 'unconfirmed'
  | 'unsearched'
  | 'payment';

/** Rows of a list by their keys. */
export interface ChangedRows {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** Maximum length of the text of a failure. */
const LONGEST = 2_000;

/** Control characters except line breaks and tabs: PostgreSQL does not store NUL, and terminals interpret others. */
const CONTROLS = /[^\P{Cc}\t\n\r]/gu;

/**
 * A failure of a connected system. `words` is its message for those who operate the connection: without secrets, at most 2,000
 * characters, with U+FFFD instead of control characters and lone surrogates. A text from the system that is not suitable for
 * users is the `cause`, a string that is logged only at level debug.
 */
export class SystemError extends Error {
  override readonly name = 'SystemError';
  readonly kind: SystemErrorKind;
  readonly words: string;
  /** The message for clients of the API: without names of tables, logins and addresses of the system. */
  readonly clientWords: string;
  /** Seconds to wait before the call is repeated. */
  readonly retryAfter?: number;
  /** Whether other calls can be made in the meantime, because the driver and not the system wants to wait. */
  readonly isOnlyForCall: boolean;
  /** Columns of the stream that a refusal concerns, if the system names them. */
  readonly columns: readonly string[];

  /** Keys of the rows that were added to and removed from a list, if that is the reason. */
  readonly changedRows: ChangedRows | undefined;
  /** Whether the response has content in which the platform finds no message. The `cause` is its beginning. */
  readonly isUnread: boolean;
  /** Why the system cannot be used, if the driver knows. */
  readonly explanation: KnownExplanation | undefined;

  constructor(
    kind: SystemErrorKind,
    words: string,
    options: {
      retryAfter?: number | undefined;
      isOnlyForCall?: boolean;
      clientWords?: string;
      columns?: readonly string[];
      changedRows?: ChangedRows | undefined;
      isUnread?: boolean;
      explanation?: KnownExplanation | undefined;
      cause?: unknown;
    } = {},
  ) {
    const shown = fitToShow(words);
    super(`${kind}: ${shown}`, { cause: options.cause });
    this.kind = kind;
    this.words = shown;
    this.clientWords = options.clientWords === undefined ? shown : fitToShow(options.clientWords);
    this.columns = options.columns ?? [];
    this.changedRows = options.changedRows;
    this.isUnread = options.isUnread ?? false;
    this.explanation = options.explanation;
    this.isOnlyForCall = options.isOnlyForCall ?? false;
    if (options.retryAfter !== undefined) this.retryAfter = options.retryAfter;
  }

  /** The same failure with an explanation. */
  explained(explanation: KnownExplanation): SystemError {
    return new SystemError(this.kind, this.words, { ...this, explanation, cause: this });
  }
}

const permanent: ReadonlySet<SystemErrorKind> = new Set(['rejected', 'forbidden', 'unconfirmed']);

/** Whether a read that failed with this error would fail again. Others, such as a page from a proxy, can be temporary. */
export function isPermanent({ kind, isUnread, retryAfter }: SystemError): boolean {
  return permanent.has(kind) && !isUnread && retryAfter === undefined;
}

/** Maximum length of the text of a failure within that of another one, which leaves space for a remedy. */
const LONGEST_REASON = 1_500;

/** The text of a failure as a part of that of another one. */
export function asReason(words: string): string {
  return cutText(words, LONGEST_REASON);
}

function fitToShow(words: string): string {
  return cutText(words, LONGEST).toWellFormed().replace(CONTROLS, '\u{FFFD}');
}
