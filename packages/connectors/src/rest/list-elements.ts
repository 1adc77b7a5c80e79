import type { RawRow, Row } from '../driver.ts';
import { SystemError } from '../system-error.ts';
import { isObject } from './json-body.ts';
import type { ElementOptions } from './options.ts';

/**
 * The elements of lists within rows: those at a path of which each name can lead to a list.
 *
 * @throws {SystemError} `invalid` if an element is neither an object nor, with `as`, a text
 */
export function elementsIn(rows: readonly Row[], { path, as }: ElementOptions): readonly Row[] {
  const found = path.split('.').reduce<readonly unknown[]>((outer, name) => outer.flatMap(within(name)), rows);
  return found.map((element) => {
    if (isObject(element)) return element;
    if (as !== undefined && typeof element === 'string') return { [as]: element };
    throw new SystemError('invalid', `A list at "${path}" of the response has other values than objects`);
  });
}

/** Rows of which each key is there once: where the first one is, with the content of the last one. */
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
