import type { Field, Limits } from '@unified/contract';
import { isExact } from '../exact-number.ts';
import { isBlank, type Problems, unusable } from './problem.ts';
import { numeral, scalarText } from './scalar-text.ts';
import { inUtc } from './words/datetime.ts';

/**
 * Checks a value against the schema of its field: returns the value of the record, or null with a recorded problem for a value
 * that the document forbids. A blank value is null where the document requires a value.
 */
export type Accept = (value: unknown, problems?: Problems) => unknown;

/** The rule that a value violates; null if it violates none. */
type Complaint<T> = (value: T) => string | null;

const DAY = '(?!0000)\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])';
const DATE = new RegExp(`^${DAY}$`);
const DATETIME = new RegExp(`^${DAY}[Tt](?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d+)?(?:[Zz]|[+-]\\d\\d:\\d\\d)$`);

/** The check of a text, an enumeration, a date or a timestamp. */
export function acceptText({ kind, values = [], limits = {} }: Field): Accept {
  const complaint = complaintsOf(limits);
  const listed = new Set(values);
  return (value, problems) => {
    const text = scalarText(value);
    if (text === null) return unusable(problems, value, 'The value is not text.');
    if (isBlank(text)) return null;
    if (kind === 'date' && !isDay(text))
      return unusable(problems, value, 'The value is not a date. Use the function `date`.');
    if (kind === 'datetime' && !(DATETIME.test(text) && isDay(text.slice(0, 10))))
      return unusable(problems, value, 'The value is not a timestamp. Use the function `datetime`.');
    if (kind === 'enum' && !listed.has(text))
      return unusable(problems, value, `The value is not one of ${values.join(', ')}.`, 'not_allowed');
    const broken = complaint?.(text);
    if (broken) return unusable(problems, value, broken, 'not_allowed');
    if (kind !== 'datetime') return text;
    return inUtc(text) ?? unusable(problems, value, 'The value is not in the years 1 to 9999 in UTC.');
  };
}

/** Whether a text is a valid calendar date. */
function isDay(text: string): boolean {
  if (!DATE.test(text)) return false;
  return Number(text.slice(8)) <= 28 || new Date(text).toISOString().startsWith(text);
}

/** The check of a number. Numeric text, such as decimals from databases, is read as a number. */
export function acceptNumber({ kind, limits = {} }: Field): Accept {
  const complaint = boundsOf(limits);
  return (value, problems) => {
    if (isBlank(value)) return null;
    const text = typeof value === 'number' ? null : decimalIn(value);
    const number = typeof value === 'number' ? value : numeral(text ?? '');
    if (!Number.isFinite(number)) return unusable(problems, value, 'The value is not a number.');
    if (text !== null && !isExact(text, number))
      return unusable(problems, value, 'The number has more digits than a JSON number can hold.');
    if (kind === 'integer' && !Number.isInteger(number))
      return unusable(problems, value, 'The value is not a whole number.', 'not_allowed');
    const broken = complaint?.(number);
    return broken ? unusable(problems, value, broken, 'not_allowed') : number;
  };
}

function decimalIn(value: unknown): string | null {
  return typeof value === 'bigint' || typeof value === 'string' ? String(value).trim() : null;
}

function complaintsOf({
  minLength = 0,
  maxLength = Number.POSITIVE_INFINITY,
  pattern,
}: Limits): Complaint<string> | null {
  const form = pattern === undefined ? null : new RegExp(pattern, 'u');
  if (form === null && minLength === 0 && maxLength === Number.POSITIVE_INFINITY) return null;
  return (text) => {
    if (text.length > maxLength && lengthOf(text) > maxLength)
      return `The value is longer than ${maxLength} characters.`;
    if (text.length < 2 * minLength && lengthOf(text) < minLength)
      return `The value is shorter than ${minLength} characters.`;
    return form === null || form.test(text) ? null : `The value does not match ${pattern}.`;
  };
}

/** Characters as counted by the document: a surrogate pair is one. */
function lengthOf(text: string): number {
  return [...text].length;
}

function boundsOf({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Limits): Complaint<number> | null {
  const bounds = [minimum, maximum, exclusiveMinimum, exclusiveMaximum];
  if (bounds.every((bound) => bound === undefined)) return null;
  return (number) => {
    if (minimum !== undefined && number < minimum) return `The value is less than ${minimum}.`;
    if (maximum !== undefined && number > maximum) return `The value is more than ${maximum}.`;
    if (exclusiveMinimum !== undefined && number <= exclusiveMinimum)
      return `The value is not more than ${exclusiveMinimum}.`;
    return exclusiveMaximum !== undefined && number >= exclusiveMaximum
      ? `The value is not less than ${exclusiveMaximum}.`
      : null;
  };
}
