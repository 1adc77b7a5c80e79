import type { PulledPage, RawRow, Row } from '../driver.ts';
import type { Json } from '../json.ts';
import type { Stream } from '../platform.ts';
import { afterPage, fingerprintOf, knownPage } from '../repeated-page.ts';
import { keyValues } from '../row-key.ts';
import { SystemError } from '../system-error.ts';
import { urlOf } from './call-url.ts';
import { filledContent } from './filled-content.ts';
import { isObject } from './json-body.ts';
import { withListsOf } from './lists-in-rows.ts';
import { type DetailOptions, optionsOf, type Parameters, type ParentOptions } from './options.ts';
import { pageFailure } from './page-failure.ts';
import { type PagePlace, pagerOf, type Turn } from './paging.ts';
import { withParentNames } from './parent-values.ts';
import { isPause } from './pause.ts';
import { withStatement } from './query-statement.ts';
import { added, elementRows, type Keyed, outerRows, receivedRow, shown } from './received-rows.ts';
import { ABSENT, posted, type RestClient } from './rest-client.ts';

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

/** Reads rows of streams. */
export class ListReader {
  readonly #client: RestClient;

  constructor(client: RestClient) {
    this.#client = client;
  }

  /**
   * One page of a list. If each row is read on its own, and the system cannot be called any longer, the page ends there: with
   * limited calls, a whole page may never succeed.
   */
  async page(request: ListRequest): Promise<PulledPage> {
    const { stream, signal } = request;
    const { detail } = optionsOf(stream);
    if (!detail?.each || request.isPlain) return this.#listed(request);
    const { page: from, read } = placeOfRows(request.from);
    const { rows, next } = await this.#listed({ ...request, from });
    const left = rows.filter(({ key }) => !read.includes(key));
    const { detailed, isWhole, keys } = await this.#detailed(stream, detail, left, signal);
    return { rows: detailed, next: isWhole ? next : { page: from, read: [...read, ...keys] } };
  }

  /** One page of a list, with the rows as the list contains them. */
  async #listed(request: ListRequest): Promise<PulledPage> {
    const { stream, parent, from, limit, signal } = request;
    const { list, parents } = optionsOf(stream);
    const pager = list.paging && pagerOf(list.paging);
    const place = placeOf(from);
    const { parameters = {}, address } = pager?.request(place, limit) ?? {};
    const given: Row = { ...list.parameters, ...request.parameters, ...parameters };
    const all: Row = withStatement(list.statement, given as Parameters, parent);
    const { base } = this.#client;
    const url =
      address === undefined ? urlOf(base, list.address, parent, list.content ? {} : all) : this.#linked(address);
    const body = list.content ? posted({ ...filledContent(list.content, parent ?? {}), ...all }) : {};
    const expected = parents?.without ?? [];
    const response = await this.#client.call({ url, expected, signal, ...body }).catch((error: unknown) => {
      throw pageFailure(error, list.paging);
    });
    if (response.isAbsent || expected.includes(response.status)) return { rows: [], next: null };
    const received = this.#client.json(response);
    const common = { ...added(received, list), ...valuesOf(parent, parents?.as) };
    const outer = outerRows(stream, received, list, common);
    const turn = pager?.turn(place, limit, { rows: outer, body: received, headers: response.headers }) ?? {
      rows: outer,
      next: null,
    };
    const rows = list.elements ? elementRows(stream, turn.rows, list.elements, common) : turn.rows;
    return { rows, next: nextOf(turn, from) };
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

  /**
   * Whether the system does not have a row. The caller checks that the user still has access. False for a stream without `detail`.
   */
  async lacks(stream: Stream, key: string, signal?: AbortSignal): Promise<boolean> {
    const { detail } = optionsOf(stream);
    return detail !== undefined && (await this.#detail(stream, detail, key, { signal })) === null;
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
    const { parents, lists } = optionsOf(stream);
    const keys = keysOf(stream, key);
    const names = withParentNames(stream, keys);
    const given = { ...detail.parameters, ...parameters } as Parameters;
    const url = urlOf(this.#client.base, detail.address, names, withStatement(detail.statement, given, names));
    const body = detail.content ? posted(filledContent(detail.content, keys)) : {};
    const response = await this.#client.call({ url, expected: ABSENT, signal, ...body });
    if (response.isAbsent) return null;
    const ofParent = valuesOf(keys, parents?.as);
    const complete = (row: Row) => withListsOf({ ...shown(stream, row), ...ofParent }, lists);
    const row = receivedRow(stream, this.#client.json(response), { names, keys, complete });
    if (row === null) return null;
    const { etag } = response.headers;
    return { row: complete(row), ...(etag !== undefined && { etag }) };
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

  /** The rows until the system cannot be called any longer. Those that no longer exist are left out. */
  async #detailed(
    stream: Stream,
    detail: DetailOptions,
    rows: readonly RawRow[],
    signal: AbortSignal | undefined,
  ): Promise<{ readonly detailed: readonly RawRow[]; readonly isWhole: boolean; readonly keys: readonly string[] }> {
    const detailed: RawRow[] = [];
    const keys: string[] = [];
    for (const { key, row } of rows) {
      try {
        const found = await this.#detail(stream, detail, key, { signal });
        if (found) detailed.push({ key, row: { ...row, ...found.row } });
      } catch (error) {
        if (keys.length === 0 || !isPause(error)) throw error;
        return { detailed, isWhole: false, keys };
      }
      keys.push(key);
    }
    return { detailed, isWhole: true, keys };
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
export function keysOf(stream: Stream, key: string): Keyed {
  const values = keyValues(key, stream.key);
  return Object.fromEntries(stream.key.map((name, index) => [name, values[index] ?? '']));
}

/** The values that belong to the key of the parent. */
function valuesOf(keys: Row = {}, as: ParentOptions['as'] = []): Row {
  const names = [as].flat().filter((name) => Object.hasOwn(keys, name));
  return Object.fromEntries(names.map((name) => [name, keys[name]]));
}

/** Where a page of a list begins, and the keys of its rows that were read already. */
function placeOfRows(from: Json | null): { readonly page: Json | null; readonly read: readonly string[] } {
  if (!isObject(from) || !Array.isArray(from.read)) return { page: from, read: [] };
  return { page: (from.page ?? null) as Json, read: from.read.map(String) };
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
