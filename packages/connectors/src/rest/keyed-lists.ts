import { refuseChangedList } from '../changed-list.ts';
import { type KnownLists, ROW_KEY, type Row } from '../driver.ts';
import { splitKey } from '../row-key.ts';
import type { Keys } from './call-url.ts';
import { isObject } from './json-body.ts';
import { newElement, wholeElement } from './whole-elements.ts';
import type { KeyedList, WriteOptions } from './write-options.ts';

type ListKind = NonNullable<WriteOptions['lists']>[string];

/** What the lists of a change depend on. */
interface ListParts {
  readonly options: WriteOptions;
  readonly known: KnownLists;
  /** Values for the names in braces of `add` and `names`. */
  readonly names: Keys;
}

/**
 * Values of an update, in whose lists the elements have the property that identifies them, or are sent as commands. The last part
 * of the key of an element is the value of this property; the parts before it identify the row that contains the list.
 *
 * @throws {SystemError} `outdated` if a list of the row differs from the one that is known here
 */
export function withKeyedLists(values: Row, row: Row, { options: { lists = {} }, known, names }: ListParts): Row {
  const keyed = Object.entries(lists).flatMap(([name, kind]) => {
    const elements = values[name];
    if (!Array.isArray(elements)) return [];
    const now = keysIn(row[name], kind);
    refuseChangedList(name, known[name]?.map(lastPart), now);
    const given = elements.filter(isObject);
    return [[name, sentElements(given, kind, { row: row[name], now, names })] as const];
  });
  return { ...values, ...Object.fromEntries(keyed) };
}

/** Values of a create, whose lists contain only new elements. */
export function withNewLists(values: Row, { lists = {} }: WriteOptions, names: Keys): Row {
  const added = Object.entries(lists).flatMap(([name, kind]) => {
    const elements = values[name];
    if (typeof kind === 'string' || !Array.isArray(elements)) return [];
    const given = elements.filter(isObject);
    const sent = 'commands' in kind ? commandsFor(given, []) : given.map((each) => newElement(each, kind, names));
    return [[name, sent] as const];
  });
  return { ...values, ...Object.fromEntries(added) };
}

/** The elements of a list as an update contains them. `now` are the keys of those that the row has. */
function sentElements(
  given: readonly Row[],
  kind: ListKind,
  { row, now, names }: { readonly row: unknown; readonly now: readonly string[]; readonly names: Keys },
): readonly unknown[] {
  if (typeof kind === 'string') return given.map((element) => withKey(element, kind));
  if ('commands' in kind) return commandsFor(given, now);
  const existing = Array.isArray(row) ? row.filter(isObject) : [];
  return given.map((element) => keyedElement(element, kind, { existing, names }));
}

function keyedElement(
  { [ROW_KEY]: key, ...values }: Row,
  kind: KeyedList,
  { existing, names }: { readonly existing: readonly Row[]; readonly names: Keys },
): Row {
  if (typeof key !== 'string') return newElement(values, kind, names);
  const id = lastPart(key);
  const before = existing.find((each) => String(each[kind.key]) === id);
  if (!before || !kind.whole) return { [kind.key]: id, ...newElement(values, kind, names) };
  return wholeElement(before, values, kind, names);
}

/** A list of the row contains the keys of its elements, or the elements themselves. */
function keysIn(list: unknown, kind: ListKind): string[] {
  if (!Array.isArray(list)) return [];
  if (typeof kind === 'object' && 'commands' in kind) return list.map(String);
  const property = typeof kind === 'string' ? kind : kind.key;
  return list.filter(isObject).map((each) => String(each[property]));
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
