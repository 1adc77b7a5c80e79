import { type ErrorCode, nearest, ServiceError } from '@unified/contract';

/** Characters of a path, and of a value, that a message shows. */
const LONGEST_PATH = 200;
const LONGEST_VALUE = 80;

/**
 * The error of one place of a request, such as `body/items/0/name`: the message and `details` name the place, with
 * whatever else there is to tell of it.
 */
export function requestError(code: ErrorCode, place: string, message: string, more: object = {}): ServiceError {
  const path = place.slice(0, LONGEST_PATH).toWellFormed();
  return new ServiceError(code, `${path}: ${message}`, { details: [{ path, message, ...more }] });
}

/** What a message and its details say of the valid name that a misspelt one most likely means; empty where none is close. */
export interface Suggestion {
  /** A sentence, such as ` Did you mean "name"?`, with the space in front. */
  readonly advice: string;
  readonly detail: { readonly didYouMean?: string };
}

/** Looks for the candidate that is meant. Called for refusals only. */
export function suggestion(sent: string, candidates: readonly string[]): Suggestion {
  return suggestionOf(nearest(sent, candidates));
}

/** The same where the candidate was found already. */
export function suggestionOf(didYouMean: string | undefined): Suggestion {
  if (didYouMean === undefined) return { advice: '', detail: {} };
  return { advice: ` Did you mean "${didYouMean}"?`, detail: { didYouMean } };
}

/** A text from a request as messages show it: quoted, and not too long. */
export function quoted(sent: string): string {
  return `"${sent.slice(0, LONGEST_VALUE).toWellFormed()}"`;
}
