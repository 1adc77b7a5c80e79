import { refuseChangedList } from '../changed-list.ts';
import { type KnownLists, ROW_KEY, type Row } from '../driver.ts';
import { splitKey } from '../row-key.ts';
import { isObject } from './json-body.ts';
import type { WriteOptions } from './write-options.ts';

/**
 * Values of an update, in whose lists the elements have the property that identifies them, or are sent as commands. The last part
 * of the key of an element is the value of this property; the parts before it identify the row that contains the list.
 *
 * @throws {SystemError} `outdated` if a list of the row differs from the one that is known here
 */
export function withKeyedLists(
  values: Row,
  row: Row,
  { options: { lists = {} }, known }: { readonly options: WriteOptions; readonly known: KnownLists },
): Row {
  const keyed = Object.entries(lists).flatMap(([name, kind]) => {
    const elements = values[name];
    if (!Array.isArray(elements)) return [];
    const now = keysIn(row[name], kind);
    refuseChangedList(name, known[name]?.map(lastPart), now);
    const given = elements.filter(isObject);
    const sent = typeof kind === 'string' ? given.map((element) => withKey(element, kind)) : commandsFor(given, now);
    return [[name, sent] as const];
  });
  return { ...values, ...Object.fromEntries(keyed) };
}

/** Values of a create, whose lists contain only new elements. */
export function withNewLists(values: Row, { lists = {} }: WriteOptions): Row {
  const added = Object.entries(lists).flatMap(([name, kind]) => {
    const elements = values[name];
    if (typeof kind === 'string' || !Array.isArray(elements)) return [];
    return [[name, commandsFor(elements.filter(isObject), [])] as const];
  });
  return { ...values, ...Object.fromEntries(added) };
}

/** A list of the row contains the keys of its elements, or the elements themselves. */
function keysIn(list: unknown, kind: string | { readonly commands: true }): string[] {
  if (!Array.isArray(list)) return [];
  return typeof kind === 'string' ? list.filter(isObject).map((each) => String(each[kind])) : list.map(String);
}

function withKey({ [ROW_KEY]: key, ...element }: Row, property: string): Row {
  return typeof key === 'string' ? { [property]: lastPart(key), ...element } : element;
}

/** New, changed and deleted elements. */
function commandsFor(elements: readonly Row[], now: readonly string[]): readonly (readonly unknown[])[] {
  const kept = elements.map(({ [ROW_KEY]: key }) => (typeof key === 'string' ? lastPart(key) : null));
  const removed = now.filter((key) => !kept.includes(key));
  return [
    ...elements.map(({ [ROW_KEY]: _, ...values }, index) => {
      const key = kept[index];
      return typeof key === 'string' ? [1, Number(key), values] : [0, 0, values];
    }),
    ...removed.map((key) => [2, Number(key), 0]),
  ];
}

function lastPart(key: string): string {
  return splitKey(key).at(-1) ?? key;
}
