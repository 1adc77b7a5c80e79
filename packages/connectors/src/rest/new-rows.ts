import { asSentence } from '../as-sentence.ts';
import type { PulledPage, RawRow, Row, StreamUse } from '../driver.ts';
import type { Json } from '../json.ts';
import type { Stream } from '../platform.ts';
import { SystemError } from '../system-error.ts';
import { createdOf, type Writer, writesOf } from './change-row.ts';
import { isObject } from './json-body.ts';
import { lastOfEachKey } from './list-elements.ts';
import { highestRank, ListOrder, numberOf, rankOf } from './list-order.ts';
import type { ListRequest } from './list-reader.ts';
import { optionsOf, type Parameters } from './options.ts';
import { valuesOfParents } from './parent-values.ts';

/** Number of rows whose order shows whether a list begins with the newest ones. */
const SAMPLE_ROWS = 10;

const SAMPLE = { limit: SAMPLE_ROWS, isPlain: true };

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
  if (createdOf(stream).marker !== undefined || isInParent(stream)) return null;
  return { after: highestRank(stream, await rowsWithHighest(writer, stream, values)) };
}

/** What prevents creates from finding their rows in the list of a stream, for the check of a connection. */
export async function orderNotes(writer: Writer, stream: Stream, { writes }: StreamUse): Promise<readonly string[]> {
  const { create, created: { marker, request } = {} } = writesOf(stream);
  const isByOrder = create && marker === undefined && request === undefined && !isInParent(stream);
  if (!writes.has('create') || !isByOrder) return [];
  const { parents } = optionsOf(stream);
  const [values = {}] = parents ? valuesOfParents(parents) : [];
  try {
    const order = await sampledOrder(writer, stream, values);
    return order === null ? [] : [`${unsorted(writer, stream, order, READ_COMPLETELY)}.`];
  } catch (error) {
    if (error instanceof SystemError && ABOUT_LIST.has(error.kind)) return [asSentence(error.words)];
    throw error;
  }
}

/** The order of the first rows of a list; null if the newest come first, or if it has no other rows. */
async function sampledOrder(writer: Writer, stream: Stream, values: Row): Promise<ListOrder | null> {
  const order = new ListOrder(stream);
  for await (const { rows } of pagesOf(writer, stream, values, SAMPLE)) {
    if (order.add(rows).isNewestFirst) return null;
    if (order.size > SAMPLE_ROWS) return order;
  }
  return null;
}

/** Kinds of errors that repeat with every call: the list cannot be read in this order, or its rows cannot be compared. */
const ABOUT_LIST: ReadonlySet<SystemError['kind']> = new Set(['rejected', 'invalid']);

/** The first rows of a list that begins with the newest ones, or all rows of another one. */
async function rowsWithHighest(writer: Writer, stream: Stream, values: Row): Promise<readonly RawRow[]> {
  const sample = await listPage(writer, stream, values, { ...SAMPLE, from: null });
  const sampled = new ListOrder(stream).add(sample.rows);
  if (sample.next === null || sampled.isNewestFirst) return sample.rows;
  const found: RawRow[] = [];
  for await (const { rows, isNewestFirst } of orderedPages(writer, stream, values, { isPlain: true })) {
    found.push(...rows);
    if (isNewestFirst) return found;
  }
  return found;
}

/** Rows of a list that are newer than a position; those in the list of a parent in descending order of their keys. */
export async function newRows(writer: Writer, stream: Stream, values: Row, position: Json): Promise<RawRow[]> {
  const isNew = newerThan(stream, position);
  const asked = { isPlain: createdOf(stream).by !== undefined };
  if (isInParent(stream)) {
    const rows = await allRows(pagesOf(writer, stream, values, asked));
    return rows.filter(isNew).sort((a, b) => numberOf(stream, b.key) - numberOf(stream, a.key));
  }
  const found: RawRow[] = [];
  for await (const { rows, isNewestFirst } of orderedPages(writer, stream, values, asked)) {
    found.push(...rows.filter(isNew));
    // No new rows follow an old one if the newest come first.
    if (isNewestFirst && !rows.every(isNew)) break;
  }
  return [...lastOfEachKey(found)];
}

/** The rows of a list that is filtered by a marker. */
export function markedRows(writer: Writer, stream: Stream, values: Row, wanted: string): Promise<RawRow[]> {
  return allRows(pagesOf(writer, stream, values, { isPlain: false, wanted }));
}

/**
 * The pages of a list, with the order of the rows so far.
 *
 * @throws {SystemError} `rejected` after `MOST_PAGES` pages of a list that does not begin with the newest rows
 */
async function* orderedPages(
  writer: Writer,
  stream: Stream,
  values: Row,
  asked: AskedRows,
): AsyncGenerator<{ readonly rows: readonly RawRow[]; readonly isNewestFirst: boolean }> {
  const order = new ListOrder(stream);
  let pages = 0;
  for await (const { rows, next } of pagesOf(writer, stream, values, asked)) {
    const { isNewestFirst } = order.add(rows);
    yield { rows, isNewestFirst };
    pages += 1;
    if (next !== null && !isNewestFirst && pages >= MOST_PAGES)
      throw new SystemError('rejected', unsorted(writer, stream, order, TOO_LONG));
  }
}

async function* pagesOf(writer: Writer, stream: Stream, values: Row, asked: AskedRows): AsyncGenerator<PulledPage> {
  let from: Json | null = null;
  do {
    const page: PulledPage = await listPage(writer, stream, values, { ...asked, from });
    yield page;
    from = page.next;
  } while (from !== null);
}

/** The rows of pages. A page can be read again. */
async function allRows(pages: AsyncIterable<PulledPage>): Promise<RawRow[]> {
  const found: RawRow[] = [];
  for await (const { rows } of pages) found.push(...rows);
  return [...lastOfEachKey(found)];
}

/** How a list is read. */
interface AskedRows {
  readonly isPlain: boolean;
  readonly wanted?: string;
  /** Defaults to the page size of the stream. */
  readonly limit?: number;
}

function listPage(
  { reader }: Writer,
  stream: Stream,
  values: Row,
  { wanted, limit = stream.pageSize, ...page }: AskedRows & Pick<ListRequest, 'from'>,
): Promise<PulledPage> {
  const { parameters = {} } = createdOf(stream);
  const asked = wanted === undefined ? parameters : withMarker(parameters, wanted);
  return reader.page({ stream, limit, ...page, parameters: asked, ...parentIn(stream, values) });
}

const TOO_LONG = 'a new record could not be found in this long list if the response to its creation were lost';

const READ_COMPLETELY = `every create reads the whole list, and is refused if it has more than ${MOST_PAGES} pages`;

function unsorted({ client }: Writer, { name }: Stream, { isOther }: ListOrder, effect: string): string {
  const order = isOther
    ? `${client.name} does not list the newest rows of ${name} first`
    : `It is not certain that ${client.name} lists the newest rows of ${name} first`;
  return `${order}, so ${effect}. Sort it in "parameters" of "created", or name a "marker"`;
}

/** Whether a row was created after a position. */
function newerThan(stream: Stream, position: Json): (row: RawRow) => boolean {
  const { after } = isObject(position) ? position : {};
  const last = typeof after === 'number' || typeof after === 'string' ? after : highestRank(stream, []);
  return (row) => rankOf(stream, row) > last;
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

function withMarker(parameters: Parameters, marker: string): Parameters {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [name, String(value).replaceAll('{marker}', marker)]),
  );
}
