import type { Row } from '../driver.ts';
import { scalarText } from './scalar-text.ts';

/** `unreadable`: the value cannot be converted to its type. `not_allowed`: the document forbids the value. */
export type ProblemReason = 'unreadable' | 'not_allowed';

/** A value of a row that is left out of the record. */
export interface ValueProblem {
  /** Field of the record, with the properties below it: `lines.quantity`. */
  field: string;
  readonly reason: ProblemReason;
  /** Description of the error, without the value: the same for every row with the same error. */
  readonly message: string;
  /** Beginning of the value. */
  example: string | null;
}

export type Problems = ValueProblem[];

const LONGEST_EXAMPLE = 100;

/** Records that a value could not be used, and returns the null that replaces it. Null and blank text are not values. */
export function unusable(
  problems: Problems | undefined,
  value: unknown,
  message: string,
  reason: ProblemReason = 'unreadable',
): null {
  if (!isBlank(value)) problems?.push({ field: '', reason, message, example: exampleOf(value) });
  return null;
}

/** Whether a row has no value here: null, or text without a letter or digit, such as a blank padded code. */
export function isBlank(value: unknown): boolean {
  return value === null || value === undefined || (typeof value === 'string' && value.trim() === '');
}

/** Prepends the name of a property to the fields of the problems from `start` on. */
export function named(name: string, problems: Problems | undefined, start: number): void {
  if (problems === undefined) return;
  for (let index = start; index < problems.length; index++) {
    const problem = problems[index];
    if (problem) problem.field = problem.field === '' ? name : `${name}.${problem.field}`;
  }
}

function exampleOf(value: unknown): string {
  const text = (scalarText(value) ?? JSON.stringify(value as Row) ?? '').replaceAll('\0', '');
  // The cut may split a surrogate pair.
  return text.length > LONGEST_EXAMPLE ? `${text.slice(0, LONGEST_EXAMPLE - 1).toWellFormed()}…` : text.toWellFormed();
}
