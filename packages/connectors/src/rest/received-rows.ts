import type { RawRow, Row } from '../driver.ts';
import type { Stream } from '../platform.ts';
import { isKey, keyOf } from '../row-key.ts';
import { SystemError } from '../system-error.ts';
import { filled } from './call-url.ts';
import { isObject, rowAt, rowsAt, valueAt } from './json-body.ts';
import { elementsIn, lastOfEachKey } from './list-elements.ts';
import { inherited, withListsOf } from './lists-in-rows.ts';
import { type DetailOptions, type ElementOptions, type ListOptions, optionsOf } from './options.ts';

/** Key columns with their values, as text. */
export type Keyed = Readonly<Record<string, string>>;

/**
 * The rows of a body. Rows whose elements count are identified, while the list is read page by page, by what their elements get
 * from them.
 */
export function outerRows(stream: Stream, body: unknown, list: ListOptions, common: Row): readonly RawRow[] {
  const { elements, paging, leftOutIfEmpty } = list;
  const rows = rowsAt(body, pathIn(list.rows, common), leftOutIfEmpty);
  if (!elements) return rows.map((row) => rawRow(stream, { ...shown(stream, row), ...common }));
  return rows.map((row) => ({ key: paging ? outerKey(stream, row, elements) : '', row }));
}

function outerKey(stream: Stream, row: Row, { path }: ElementOptions): string {
  const own = inherited(row, optionsOf(stream).lists?.[path] ?? {});
  return keyOf(
    own,
    stream.key.filter((name) => typeof own[name] === 'string' || typeof own[name] === 'number'),
  );
}

/** The rows of a stream in the lists of outer rows. */
export function elementRows(
  stream: Stream,
  outer: readonly RawRow[],
  elements: ElementOptions,
  common: Row,
): readonly RawRow[] {
  const { lists } = optionsOf(stream);
  const found = elementsIn(
    outer.map(({ row }) => withListsOf(row, lists)),
    elements,
  );
  return lastOfEachKey(found.map((element) => rawRow(stream, { ...shown(stream, element), ...common })));
}

function pathIn(path: string | undefined, names: Row): string | undefined {
  return path === undefined ? undefined : filled(path, names, String);
}

/** The row with these keys in a body; null if there is none. `complete` adds what the row gets from its parent. */
export function receivedRow(
  stream: Stream,
  body: unknown,
  { names, keys, complete }: { readonly names: Row; readonly keys: Keyed; readonly complete: (row: Row) => Row },
): Row | null {
  const { detail, list } = optionsOf(stream);
  if (!detail) return null;
  if (!detail.elements || !list.elements) return rowIn(body, detail, names, keys);
  return elementIn(rowsIn(body, detail, names).map(complete), list.elements, keys);
}

/** The rows in a body that contains one row, or a list. */
function rowsIn(body: unknown, { row, leftOutIfEmpty }: DetailOptions, names: Row): readonly Row[] {
  const path = pathIn(row, names);
  const isOne = isObject(valueAt(body, path));
  return isOne ? [rowAt(body, path)] : rowsAt(body, path, leftOutIfEmpty);
}

/** The row in a body; null if the body contains a list of rows without it. */
function rowIn(body: unknown, detail: DetailOptions, names: Row, keys: Keyed): Row | null {
  const path = pathIn(detail.row, names);
  if (!detail.leftOutIfEmpty && !Array.isArray(valueAt(body, path))) return rowAt(body, path);
  return rowsAt(body, path, detail.leftOutIfEmpty).find((row) => hasKeys(row, keys)) ?? null;
}

function elementIn(outer: readonly Row[], elements: ElementOptions, keys: Keyed): Row | null {
  return elementsIn(outer, elements).find((row) => hasKeys(row, keys)) ?? null;
}

function hasKeys(row: Row, keys: Keyed): boolean {
  return Object.entries(keys).every(([name, value]) => !Object.hasOwn(row, name) || String(row[name]) === value);
}

/** Properties of a body that are added to all of its rows. */
export function added(body: unknown, { fromBody = {} }: ListOptions): Row {
  return Object.fromEntries(Object.entries(fromBody).map(([name, path]) => [name, valueAt(body, path)]));
}

/** A row without the properties that must not be stored, and with null for properties without a value. */
export function shown(stream: Stream, row: Row): Row {
  const { omit = [], falseIsNull } = optionsOf(stream);
  const isNull = (name: string, value: unknown) => value === false && !falseIsNull?.except.includes(name);
  const entries = Object.entries(row).filter(([name]) => !omit.includes(name));
  return Object.fromEntries(
    falseIsNull ? entries.map(([name, value]) => [name, isNull(name, value) ? null : value]) : entries,
  );
}

function rawRow(stream: Stream, given: Row): RawRow {
  const row = withListsOf(given, optionsOf(stream).lists);
  const missing = stream.key.find((name) => typeof row[name] !== 'string' && typeof row[name] !== 'number');
  if (missing !== undefined)
    throw new SystemError('invalid', `A row of ${stream.name} has no "${missing}", which identifies it`);
  const key = keyOf(row, stream.key);
  if (isKey(key)) return { key, row };
  throw new SystemError('invalid', `A row of ${stream.name} has a key that is too long or not valid text`);
}
