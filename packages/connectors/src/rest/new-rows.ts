import type { PulledPage, RawRow, Row, StreamUse } from '../driver.ts';
import type { Json } from '../json.ts';
import type { Stream } from '../platform.ts';
import { SystemError } from '../system-error.ts';
import { type Writer, writesOf } from './change-row.ts';
import { isObject } from './json-body.ts';
import { lastOfEachKey } from './list-elements.ts';
import { optionsOf, type Parameters } from './options.ts';
import { valuesOfParents } from './parent-values.ts';
import type { CreatedOptions } from './write-options.ts';

/** Number of rows whose order shows whether a list begins with the newest ones. */
const SAMPLE_ROWS = 10;

/** Maximum number of pages of a list in another order that are read for one create. */
const MOST_PAGES = 20;

/**
 * Where new rows begin: after the highest key, or the highest value of `by`. Times of calls are not used, because the clock of a
 * proxy or of this machine differs from that of the system. Null with a marker, which needs no position, and for lists of parents
 * (see `rememberPosition`).
 *
 * @throws {SystemError} `rejected` if the list is in another order and too long: a new row could not be found in it
 */
export async function positionBefore(writer: Writer, stream: Stream, values: Row): Promise<Json> {
  const { marker, by } = createdOf(stream);
  if (marker !== undefined || isInParent(stream)) return null;
  const { rows } = await rowsWithHighest(writer, stream, values);
  if (by !== undefined) return { after: rows.map((row) => textOf(row, by)).reduce(later, '') };
  return { after: rows.map(({ key }) => numberOf(stream, key)).reduce((one, other) => Math.max(one, other), 0) };
}

/** What prevents creates from finding their rows in the list of a stream, for the check of a connection. */
export async function orderNotes(writer: Writer, stream: Stream, { writes }: StreamUse): Promise<readonly string[]> {
  const { create, created: { marker, request } = {} } = writesOf(stream);
  const isByOrder = create && marker === undefined && request === undefined && !isInParent(stream);
  if (!writes.has('create') || !isByOrder) return [];
  const { parents } = optionsOf(stream);
  const [values = {}] = parents ? valuesOfParents(parents) : [];
  try {
    const { rows, isSorted } = await rowsWithHighest(writer, stream, values);
    return isSorted || rows.length <= SAMPLE_ROWS
      ? []
      : [`${unsorted(writer, stream, 'every create reads the whole list')}.`];
  } catch (error) {
    if (error instanceof SystemError) return [`${error.words}.`];
    throw error;
  }
}

/** The first rows of a list that begins with the newest ones, or all rows of another one. */
async function rowsWithHighest(
  writer: Writer,
  stream: Stream,
  values: Row,
): Promise<{ readonly rows: readonly RawRow[]; readonly isSorted: boolean }> {
  // A create that the system recognizes when it is sent again may miss its row.
  const isRepeatable = createdOf(stream).request !== undefined;
  const limit = isRepeatable ? 1 : SAMPLE_ROWS;
  const first = await listPage(writer, stream, values, { from: null, limit, isPlain: true });
  if (isRepeatable || first.next === null || isNewestFirst(stream, first.rows)) {
    return { rows: first.rows, isSorted: true };
  }
  const rows: RawRow[] = [];
  let from: Json | null = null;
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const page: PulledPage = await listPage(writer, stream, values, {
      from,
      limit: stream.pageSize,
      isPlain: true,
    });
    rows.push(...page.rows);
    if (page.next === null) return { rows, isSorted: false };
    from = page.next;
  }
  throw new SystemError('rejected', unsorted(writer, stream, TOO_LONG));
}

/** Rows of a list that are newer than a position, or those with a marker, the newest of the list of a parent first. */
export async function newRows(
  writer: Writer,
  stream: Stream,
  values: Row,
  { wanted, position = null }: { readonly wanted?: string; readonly position?: Json },
): Promise<RawRow[]> {
  const isInLists = isInParent(stream);
  const isPlain = createdOf(stream).by !== undefined;
  // Lists of parents, and those that are filtered by a marker, are read completely in any order.
  const isByOrder = !isInLists && wanted === undefined;
  const isRepeatable = createdOf(stream).request !== undefined;
  const isNew = wanted === undefined ? newerThan(stream, position) : () => true;
  const found: RawRow[] = [];
  let isSorted = true;
  let from: Json | null = null;
  for (let pages = 1, more = true; more; pages += 1) {
    const page: PulledPage = await listPage(writer, stream, values, {
      from,
      limit: stream.pageSize,
      isPlain,
      wanted,
    });
    found.push(...page.rows.filter(isNew));
    isSorted &&= !isByOrder || isRepeatable || isNewestFirst(stream, page.rows);
    // No new rows follow an old one if the newest come first.
    const isOver = isByOrder && isSorted && !page.rows.every(isNew);
    from = isOver ? null : page.next;
    more = from !== null;
    if (more && !isSorted && pages >= MOST_PAGES) throw new SystemError('rejected', unsorted(writer, stream, TOO_LONG));
  }
  // A page can be read again.
  const rows = [...lastOfEachKey(found)];
  return isInLists ? rows.sort((a, b) => numberOf(stream, b.key) - numberOf(stream, a.key)) : rows;
}

interface AskedPage {
  readonly from: Json | null;
  readonly limit: number;
  readonly isPlain: boolean;
  readonly wanted?: string | undefined;
}

function listPage(
  { reader }: Writer,
  stream: Stream,
  values: Row,
  { wanted, ...page }: AskedPage,
): Promise<PulledPage> {
  const { parameters = {} } = createdOf(stream);
  const asked = wanted === undefined ? parameters : withMarker(parameters, wanted);
  return reader.page({ stream, ...page, parameters: asked, ...parentIn(stream, values) });
}

const TOO_LONG = 'a new record could not be found in this long list if the response to its creation were lost';

function unsorted({ client }: Writer, { name }: Stream, effect: string): string {
  const remedy = 'Sort it in "parameters" of "created", or name a "marker"';
  return `${client.name} does not list the newest rows of ${name} first, so ${effect}. ${remedy}`;
}

/** Whether rows are in descending order of what new rows are found by. */
function isNewestFirst(stream: Stream, rows: readonly RawRow[]): boolean {
  const { by } = createdOf(stream);
  const isInOrder = (one: RawRow, next: RawRow) =>
    by === undefined
      ? numberOf(stream, one.key) >= numberOf(stream, next.key)
      : later(textOf(one, by), textOf(next, by)) === textOf(one, by);
  return rows.every((row, index) => {
    const next = rows[index + 1];
    return next === undefined || isInOrder(row, next);
  });
}

function later(one: string, other: string): string {
  return one >= other ? one : other;
}

/** Whether a row was created after a position. */
function newerThan(stream: Stream, position: Json): (row: RawRow) => boolean {
  const { after } = isObject(position) ? position : {};
  const { by } = createdOf(stream);
  if (by !== undefined) return (row) => textOf(row, by) > String(after ?? '');
  return ({ key }) => numberOf(stream, key) > Number(after ?? 0);
}

/** Whether new rows are found in the list of their parent, by their keys. */
export function isInParent(stream: Stream): boolean {
  return optionsOf(stream).parents?.stream !== undefined && createdOf(stream).marker === undefined;
}

/** The parent of the list that contains the row of a create. */
function parentIn(stream: Stream, values: Row): { readonly parent?: Row } {
  const { parents } = optionsOf(stream);
  if (!parents) return {};
  return { parent: Object.fromEntries([parents.as].flat().map((name) => [name, values[name]])) };
}

/** @throws {SystemError} `invalid` if the row has no text by which new rows are found */
function textOf({ key, row }: RawRow, by: string): string {
  const value = row[by];
  if (typeof value === 'string' && value !== '') return value;
  throw new SystemError('invalid', `The row ${key} has no "${by}", by which new rows are found`);
}

/** The last part of a key. @throws {SystemError} `invalid` if it is not a number */
export function numberOf(stream: Stream, key: string): number {
  const number = Number(key.split('/').at(-1));
  if (Number.isSafeInteger(number)) return number;
  const words = `The key ${key} of ${stream.name} is not a number, so new rows cannot be found by it`;
  throw new SystemError('invalid', `${words}; name a "marker"`);
}

function withMarker(parameters: Parameters, marker: string): Parameters {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [name, String(value).replaceAll('{marker}', marker)]),
  );
}

/** How the rows of creates of a stream are found. */
export function createdOf(stream: Stream): CreatedOptions {
  return writesOf(stream).created ?? {};
}
