import type { Row } from '../driver.ts';
import { valueAt } from './json-body.ts';
import type { WriteOptions } from './write-options.ts';

type Stored = WriteOptions['stored'];

/** Names of the values that can be compared with a row, because the platform states where they are in rows. */
export function comparable(values: Row, stored: Stored): string[] {
  return Object.keys(values).filter((name) => pathOf(name, stored) !== undefined);
}

/** Whether a row has all values that can be compared, as they were sent. */
export function hasValues(row: Row, values: Row, stored: Stored): boolean {
  return comparable(values, stored).every((name) => isSame(valueAt(row, pathOf(name, stored)), values[name]));
}

/**
 * Whether a row may be that of a create although it does not have all values: it has those of `match`. If none of these was
 * sent, one equal value is enough.
 */
export function resembles(row: Row, values: Row, stored: Stored, match: readonly string[] = []): boolean {
  const sent = comparable(values, stored).filter((name) => plain(values[name]) !== '');
  const isStored = (name: string) => isSame(valueAt(row, pathOf(name, stored)), values[name]);
  const identifying = sent.filter((name) => match.includes(name));
  return identifying.length > 0 ? identifying.every(isStored) : sent.some(isStored);
}

/** Names of the values that were sent but ignored: the row still has its previous values. */
export function ignoredValues(before: Row, after: Row, values: Row, stored: Stored): string[] {
  return comparable(values, stored).filter((name) => {
    const now = valueAt(after, pathOf(name, stored));
    return !isSame(now, values[name]) && isSame(now, valueAt(before, pathOf(name, stored)));
  });
}

/** Whether two values are the same to a system that trims texts, changes line breaks, and returns numbers for texts. */
export function isSame(one: unknown, other: unknown): boolean {
  return plain(one) === plain(other);
}

function pathOf(name: string, stored: Stored = {}): string | undefined {
  return Object.hasOwn(stored, name) ? stored[name] : undefined;
}

function plain(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value).replaceAll('\r\n', '\n').trim();
  return /^-?\d+(\.\d+)?$/.test(text) && text.length <= 15 ? String(Number(text)) : text;
}
