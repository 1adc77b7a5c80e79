import { type ErrorCode, nearest, ServiceError } from '@unified/contract';

/** Maximum number of characters of a path, and of a value, that a message shows. */
const LONGEST_PATH = 200;
const LONGEST_VALUE = 80;

/**
 * The error for one part of a request. The message and `details` contain its path, such as `body/items/0/name`; `more`
 * is added to the details.
 */
export function requestError(code: ErrorCode, place: string, message: string, more: object = {}): ServiceError {
  const path = place.slice(0, LONGEST_PATH).toWellFormed();
  return new ServiceError(code, `${path}: ${message}`, { details: [{ path, message, ...more }] });
}

/**
 * Suggests the valid name that was probably meant by a misspelled one, for a message and its details; empty if no name is
 * close.
 */
export interface Suggestion {
  /** A sentence, such as ` Did you mean "name"?`, with a leading space. */
  readonly advice: string;
  readonly detail: { readonly didYouMean?: string };
}

/** Finds the most likely candidate. Called only for invalid requests. */
export function suggestion(sent: string, candidates: readonly string[]): Suggestion {
  return suggestionOf(nearest(sent, candidates));
}

/** The same for a candidate that was already found. */
export function suggestionOf(didYouMean: string | undefined): Suggestion {
  if (didYouMean === undefined) return { advice: '', detail: {} };
  return { advice: ` Did you mean "${didYouMean}"?`, detail: { didYouMean } };
}

/**
 * The error for a query parameter that names something other than the `allowed` names; `sent` is that name, or empty if the
 * parameter has another fault. `details` lists the allowed names.
 */
export function unlistedError(
  code: ErrorCode,
  parameter: string,
  reason: string,
  { sent, allowed }: { readonly sent: string; readonly allowed: readonly string[] },
): ServiceError {
  const { advice, detail } = suggestion(sent, allowed);
  const message = `${reason}${advice}`;
  return new ServiceError(code, message, { details: [{ path: `query/${parameter}`, message, ...detail, allowed }] });
}

/** A string from a request, quoted and truncated for a message. */
export function quoted(sent: string): string {
  return `"${sent.slice(0, LONGEST_VALUE).toWellFormed()}"`;
}
