import { refuseChangedList } from '../changed-list.ts';
import { type KnownLists, ROW_KEY, type Row } from '../driver.ts';
import { splitKey } from '../row-key.ts';
import { isObject } from './json-body.ts';
import type { WriteOptions } from './write-options.ts';

/**
 * Values of an update, in whose lists the elements have the property that identifies them. The last part of the key of an element
 * is the value of this property; the parts before it identify the row that contains the list.
 *
 * @throws {SystemError} `outdated` if a list of the row differs from the one that is known here
 */
export function withKeyedLists(
  values: Row,
  row: Row,
  { options: { lists = {} }, known }: { readonly options: WriteOptions; readonly known: KnownLists },
): Row {
  const keyed = Object.entries(lists).flatMap(([name, property]) => {
    const elements = values[name];
    if (!Array.isArray(elements)) return [];
    const now = Array.isArray(row[name]) ? row[name].filter(isObject).map((each) => String(each[property])) : [];
    refuseChangedList(name, known[name]?.map(lastPart), now);
    return [[name, elements.filter(isObject).map((element) => withKey(element, property))] as const];
  });
  return { ...values, ...Object.fromEntries(keyed) };
}

function withKey({ [ROW_KEY]: key, ...element }: Row, property: string): Row {
  return typeof key === 'string' ? { [property]: lastPart(key), ...element } : element;
}

function lastPart(key: string): string {
  return splitKey(key).at(-1) ?? key;
}
