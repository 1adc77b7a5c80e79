import type { RawRow, Row } from '../driver.ts';
import { SystemError } from '../system-error.ts';
import { isObject } from './json-body.ts';
import type { ElementOptions } from './options.ts';

/**
 * The elements of lists within rows, at a path in which any name can refer to a list.
 *
 * @throws {SystemError} `invalid` if an element is neither an object nor, with `as`, a text
 */
export function elementsIn(rows: readonly Row[], { path, as }: ElementOptions): readonly Row[] {
  const found = path.split('.').reduce<readonly unknown[]>((outer, name) => outer.flatMap(within(name)), rows);
  return found.map((element) => {
    if (isObject(element)) return element;
    if (as !== undefined && typeof element === 'string') return { [as]: element };
    throw new SystemError('invalid', `A list at "${path}" of the response contains values other than objects`);
  });
}

/** Rows with each key only once: at the position of its first row, with the content of its last row. */
export function lastOfEachKey(rows: readonly RawRow[]): readonly RawRow[] {
  return [...new Map(rows.map((row) => [row.key, row])).values()];
}

function within(name: string): (outer: unknown) => readonly unknown[] {
  return (outer) => {
    const value = isObject(outer) && Object.hasOwn(outer, name) ? outer[name] : null;
    if (value === null || value === undefined) return [];
    return Array.isArray(value) ? value : [value];
  };
}
