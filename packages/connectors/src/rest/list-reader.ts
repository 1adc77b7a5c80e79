import type { PulledPage, RawRow, Row } from '../driver.ts';
import type { Json } from '../json.ts';
import type { Stream } from '../platform.ts';
import { afterPage, fingerprintOf, knownPage } from '../repeated-page.ts';
import { keyOf, keyValues } from '../row-key.ts';
import { SystemError } from '../system-error.ts';
import { urlOf } from './call-url.ts';
import { filledContent } from './filled-content.ts';
import { isObject, rowAt, rowsAt, valueAt } from './json-body.ts';
import { elementsIn, lastOfEachKey } from './list-elements.ts';
import { type DetailOptions, type ListOptions, optionsOf, type Parameters, type ParentOptions } from './options.ts';
import { type PagePlace, pagerOf, type Turn } from './paging.ts';
import { posted, type RestClient } from './rest-client.ts';

/** A page of a list to read. */
export interface ListRequest {
  readonly stream: Stream;
  /** Key of the parent, by its name in addresses. */
  readonly parent?: Row;
  readonly from: Json | null;
  readonly limit: number;
  /** Added to the parameters of the list. */
  readonly parameters?: Row;
  readonly signal?: AbortSignal | undefined;
  /** Whether rows are as the list contains them, even if passes read each of them on its own. */
  readonly isPlain?: boolean;
}

/** A row as it is now. */
export interface FoundRow {
  readonly row: Row;
  /** Absent if the system returns none, or if the row was found by searching its list. */
  readonly etag?: string;
}

/** Statuses with which systems report that a row does not exist. */
export const ABSENT = [404, 410];

/** Reads rows of streams. */
export class ListReader {
  readonly #client: RestClient;

  constructor(client: RestClient) {
    this.#client = client;
  }

  /** One page of a list. */
  async page(request: ListRequest): Promise<PulledPage> {
    const { stream, parent, from, limit, signal } = request;
    const { list, parents, detail } = optionsOf(stream);
    const pager = list.paging && pagerOf(list.paging);
    const place = placeOf(from);
    const { parameters = {}, address } = pager?.request(place, limit) ?? {};
    const all: Row = { ...list.parameters, ...request.parameters, ...parameters };
    const { base } = this.#client;
    const url =
      address === undefined ? urlOf(base, list.address, parent, list.content ? {} : all) : this.#linked(address);
    const body = list.content ? posted({ ...filledContent(list.content, parent ?? {}), ...all }) : {};
    const expected = parents?.without ?? [];
    const response = await this.#client.call({ url, expected, signal, ...body });
    if (expected.includes(response.status)) return { rows: [], next: null };
    const received = this.#client.json(response);
    const rows = listed(received, list, (row) =>
      rawRow(stream, { ...shown(stream, row), ...added(received, list), ...parent }),
    );
    const turn = pager?.turn(place, limit, { rows, body: received, headers: response.headers }) ?? { rows, next: null };
    return {
      rows: detail?.each && !request.isPlain ? await this.#detailed(stream, detail, turn.rows, signal) : turn.rows,
      next: nextOf(turn, from),
    };
  }

  /** One row; null if it does not exist. */
  async row(stream: Stream, key: string): Promise<Row | null> {
    return (await this.found(stream, key))?.row ?? null;
  }

  /**
   * One row with its ETag; null if it does not exist, and the user still has access. `parameters` are added to those of `detail`.
   */
  async found(stream: Stream, key: string, parameters: Parameters = {}): Promise<FoundRow | null> {
    const found = await this.#lookedUp(stream, key, parameters);
    if (!found) await this.#client.check();
    return found;
  }

  async #lookedUp(stream: Stream, key: string, parameters: Parameters): Promise<FoundRow | null> {
    const { detail } = optionsOf(stream);
    if (detail) return this.#detail(stream, detail, key, { parameters });
    const row = await this.#search(stream, key);
    return row && { row };
  }

  async #detail(
    stream: Stream,
    detail: DetailOptions,
    key: string,
    { parameters = {}, signal }: Pick<ListRequest, 'parameters' | 'signal'>,
  ): Promise<FoundRow | null> {
    const { parents } = optionsOf(stream);
    const keys = keysOf(stream, key);
    const url = urlOf(this.#client.base, detail.address, keys, { ...detail.parameters, ...parameters });
    const body = detail.content ? posted(filledContent(detail.content, keys)) : {};
    const response = await this.#client.call({ url, expected: ABSENT, signal, ...body });
    if (ABSENT.includes(response.status)) return null;
    const content = rowIn(this.#client.json(response), detail, keys);
    if (content === null) return null;
    const row = shown(stream, content);
    const { etag } = response.headers;
    return {
      row: { ...row, ...valuesOf(keys, parents?.as) },
      ...(etag !== undefined && { etag }),
    };
  }

  /**
   * Searches the list for a row that has no address of its own. Such lists are short: those of one parent, or a table of codes.
   */
  async #search(stream: Stream, key: string): Promise<Row | null> {
    const { parents } = optionsOf(stream);
    const keys = keysOf(stream, key);
    const parent = valuesOf(keys, parents?.as);
    for (let from: Json | null = null, more = true; more; more = from !== null) {
      const page: PulledPage = await this.page({ stream, parent, from, limit: stream.pageSize });
      const found = page.rows.find((row) => row.key === key);
      if (found) return found.row;
      from = page.next;
    }
    return null;
  }

  /** Rows that no longer exist are left out. */
  async #detailed(
    stream: Stream,
    detail: DetailOptions,
    rows: readonly RawRow[],
    signal: AbortSignal | undefined,
  ): Promise<RawRow[]> {
    const detailed: RawRow[] = [];
    for (const { key, row } of rows) {
      const found = await this.#detail(stream, detail, key, { signal });
      if (found) detailed.push({ key, row: { ...row, ...found.row } });
    }
    return detailed;
  }

  /** The URL of a page at an address that the system returned. Credentials are not sent to another host. */
  #linked(address: string): URL {
    const { base } = this.#client;
    const url = URL.canParse(address, `${base}/`) ? new URL(address, `${base}/`) : null;
    if (url && url.origin === new URL(base).origin) return url;
    throw new SystemError('invalid', 'The address of the next page does not belong to this system');
  }
}

/** The key columns of a row with their values, as text. */
export function keysOf(stream: Stream, key: string): Readonly<Record<string, string>> {
  const values = keyValues(key, stream.key);
  return Object.fromEntries(stream.key.map((name, index) => [name, values[index] ?? '']));
}

/** The values of a key that belong to the parent. */
function valuesOf(keys: Readonly<Record<string, string>>, as: ParentOptions['as'] = []): Row {
  const names = [as].flat().filter((name) => Object.hasOwn(keys, name));
  return Object.fromEntries(names.map((name) => [name, keys[name]]));
}

/** The rows of a body, or of the lists within its rows. */
function listed(body: unknown, { rows, elements }: ListOptions, raw: (row: Row) => RawRow): readonly RawRow[] {
  const outer = rowsAt(body, rows);
  return elements ? lastOfEachKey(elementsIn(outer, elements).map(raw)) : outer.map(raw);
}

/** The row in a body; null if the body contains a list of rows without it. */
function rowIn(body: unknown, { row: path }: DetailOptions, keys: Readonly<Record<string, string>>): Row | null {
  if (!Array.isArray(valueAt(body, path))) return rowAt(body, path);
  const isIt = (row: Row) =>
    Object.entries(keys).every(([name, value]) => !Object.hasOwn(row, name) || String(row[name]) === value);
  return rowsAt(body, path).find(isIt) ?? null;
}

/** Properties of a body that are added to all of its rows. */
function added(body: unknown, { fromBody = {} }: ListOptions): Row {
  return Object.fromEntries(Object.entries(fromBody).map(([name, path]) => [name, valueAt(body, path)]));
}

/** A row without the properties that must not be stored, and with null for properties without a value. */
function shown(stream: Stream, row: Row): Row {
  const { omit = [], falseIsNull } = optionsOf(stream);
  const isNull = (name: string, value: unknown) => value === false && !falseIsNull?.except.includes(name);
  const entries = Object.entries(row).filter(([name]) => !omit.includes(name));
  return Object.fromEntries(
    falseIsNull ? entries.map(([name, value]) => [name, isNull(name, value) ? null : value]) : entries,
  );
}

function rawRow(stream: Stream, row: Row): RawRow {
  const missing = stream.key.find((name) => typeof row[name] !== 'string' && typeof row[name] !== 'number');
  if (missing === undefined) return { key: keyOf(row, stream.key), row };
  throw new SystemError('invalid', `A row of ${stream.name} has no "${missing}", which identifies it`);
}

function placeOf(from: Json | null): PagePlace {
  return isObject(from) ? { at: null, ...from } : { at: null };
}

function nextOf({ rows, next, wentBack }: Turn, from: Json | null): Json {
  const known = isObject(from) ? knownPage(from.known as Json) : null;
  // A pass that went back reads pages again, so it is not checked.
  const guard = wentBack ? null : afterPage(known, fingerprintOf(rows, String(next?.at)));
  return next === null ? null : { ...next, known: guard };
}
