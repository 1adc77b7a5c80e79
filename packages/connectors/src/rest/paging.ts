import type { IncomingHttpHeaders } from 'node:http';
import type { RawRow } from '../driver.ts';
import { fingerprintOf } from '../repeated-page.ts';
import { SystemError } from '../system-error.ts';
import { valueAt } from './json-body.ts';
import type { PageSize, Paging, Parameters, TotalPlace } from './options.ts';

/** A page to request. */
export interface PagePlace {
  /** Number of rows to skip, number of the page, or address or token of the page; null for the first page. */
  readonly at: number | string | null;
  /** Key of the row before this page, and of the first row of the pass. */
  readonly last?: string;
  readonly first?: string;
  /** Number of rows read so far, and the total number of rows that the previous page reported. */
  readonly seen?: number;
  readonly total?: number;
  /** Fingerprints of the pages that were returned for this place but did not begin with the row before it. */
  readonly unexpected?: readonly string[];
  /** How often the pass went back to the first page. */
  readonly restarts?: number;
}

/** A page as it was received. */
export interface ReceivedPage {
  readonly rows: readonly RawRow[];
  readonly body: unknown;
  readonly headers: Readonly<IncomingHttpHeaders>;
}

/** The rows of a page, and the page after it, which is null if the list has ended. */
export interface Turn {
  readonly rows: readonly RawRow[];
  readonly next: PagePlace | null;
  /** Whether the pass reads this page, or pages before it, again. */
  readonly wentBack?: true;
}

/** One way to read a list page by page. */
export interface Pager {
  /** What to request: parameters of the query, or the address of the page. */
  request(place: PagePlace, limit: number): { readonly parameters: Parameters; readonly address?: string };
  turn(place: PagePlace, limit: number, page: ReceivedPage): Turn;
}

/** The pager of a list. */
export function pagerOf({ offset, pages, next, token }: Paging): Pager {
  if (offset) return offsetPager(offset);
  if (pages) return numberedPager(pages);
  if (token) return tokenPager(token);
  return linkPager(next ?? {});
}

/** Maximum number of different pages that one request can return before it is given up. */
const MOST_UNEXPECTED = 10;

/** Maximum number of times that a pass begins again. */
const MOST_RESTARTS = 20;

/**
 * Each page begins with the last row of the page before. If it does not, the pass reads again, so that no row is skipped and
 * later taken for deleted:
 *
 * - Without that row, rows were deleted in the meantime and the others moved up: the pass goes back until it finds the row.
 * - With that row in another position, rows were added in the meantime, or the page is not in order or belongs elsewhere. It is
 *   requested again. Only a page that is returned twice is believed.
 */
function offsetPager({ parameter, first: origin = 0, size, total: totalPlace }: NonNullable<Paging['offset']>): Pager {
  const skipped = ({ at }: PagePlace) => Math.max(Number(at ?? 0) - 1, 0);
  const requested = (place: PagePlace, limit: number) => pageSize(size, Number(place.at ?? 0) > 0 ? limit + 1 : limit);
  return {
    request: (place, limit) => ({
      parameters: { [parameter]: skipped(place) + origin, [size.parameter]: requested(place, limit) },
    }),
    turn(place, limit, page) {
      const { rows } = page;
      const begin = skipped(place);
      const isFirst = Number(place.at ?? 0) === 0;
      const known = isFirst ? -1 : rows.findIndex(({ key }) => key === place.last);
      if (known > 0 && begin > 0 && rows[0]?.key === place.first) {
        throw new SystemError('invalid', `The system returns the first page again: it ignores "${parameter}"`);
      }
      const { unexpected = [], ...expected } = place;
      if (!isFirst && known < 0) {
        const back = Math.max(begin + 2 - Math.max(requested(place, limit), 2), 0);
        const restarts = (place.restarts ?? 0) + (back === 0 ? 1 : 0);
        if (restarts > MOST_RESTARTS) throw unsorted();
        return { rows, next: { ...expected, at: back, restarts }, wentBack: true };
      }
      const print = fingerprintOf(rows, '');
      if (known > 0 && !unexpected.includes(print)) {
        if (unexpected.length >= MOST_UNEXPECTED) throw disordered();
        return { rows, next: { ...place, unexpected: [...unexpected, print] }, wentBack: true };
      }
      const fresh = rows.slice(known + 1);
      const read = known > 0 ? rows : fresh;
      const seen = begin + rows.length;
      const total = totalIn(page, totalPlace);
      if (total === undefined ? fresh.length === 0 : seen >= total) return { rows: read, next: null };
      if (fresh.length === 0) throw incomplete(seen, total);
      const first = isFirst ? rows[0]?.key : place.first;
      const last = fresh.at(-1)?.key;
      return {
        rows: read,
        next: {
          at: seen,
          ...(first !== undefined && { first }),
          ...(last !== undefined && { last }),
          ...(place.restarts !== undefined && { restarts: place.restarts }),
        },
      };
    },
  };
}

/** If the total number of rows has decreased, rows may have moved to a page that was already read, so the pass begins again. */
function numberedPager({ parameter, size, first = 1, total: totalPlace }: NonNullable<Paging['pages']>): Pager {
  return {
    request: ({ at }, limit) => ({ parameters: { [parameter]: at ?? first, ...sized(size, limit) } }),
    turn({ at, seen: before = 0, total: previous }, _limit, page) {
      const { rows } = page;
      const total = totalIn(page, totalPlace);
      if (total !== undefined && previous !== undefined && total < previous) {
        return { rows, next: { at: first }, wentBack: true };
      }
      const seen = before + rows.length;
      if (total === undefined ? rows.length === 0 : seen >= total) return { rows, next: null };
      if (rows.length === 0) throw incomplete(seen, total);
      return { rows, next: { at: Number(at ?? first) + 1, seen, ...(total !== undefined && { total }) } };
    },
  };
}

function linkPager({ path, size }: NonNullable<Paging['next']>): Pager {
  return {
    request: ({ at }, limit) =>
      typeof at === 'string' ? { parameters: {}, address: at } : { parameters: sized(size, limit) },
    turn(_place, _limit, { rows, body, headers }) {
      const address = path === undefined ? nextLink(headers.link) : textAt(body, path);
      return { rows, next: address === null ? null : { at: address } };
    },
  };
}

function tokenPager({ path, parameter, size }: NonNullable<Paging['token']>): Pager {
  return {
    request: ({ at }, limit) => ({ parameters: { ...sized(size, limit), ...(at !== null && { [parameter]: at }) } }),
    turn(_place, _limit, { rows, body }) {
      const token = textAt(body, path);
      return { rows, next: token === null ? null : { at: token } };
    },
  };
}

function sized(size: PageSize | undefined, limit: number): Parameters {
  return size ? { [size.parameter]: pageSize(size, limit) } : {};
}

function pageSize({ most = Number.POSITIVE_INFINITY }: PageSize, limit: number): number {
  return Math.min(limit, most);
}

function totalIn({ body, headers }: ReceivedPage, place: TotalPlace | undefined): number | undefined {
  if (place === undefined) return undefined;
  if (typeof place === 'object') return totalOf(headers[place.header.toLowerCase()], place.header);
  const total = valueAt(body, place);
  if (typeof total === 'number') return total;
  throw new SystemError('invalid', `The response has no number of rows at "${place}"`);
}

/** A system can leave the header out, or empty, if counting the rows would take too long. */
function totalOf(header: string | string[] | undefined, name: string): number | undefined {
  if (header === undefined || header === '') return undefined;
  const total = Number(header);
  if (Number.isSafeInteger(total) && total >= 0) return total;
  throw new SystemError('invalid', `The header "${name}" of the response is not a number of rows`);
}

function textAt(body: unknown, path: string): string | null {
  const value = valueAt(body, path);
  return typeof value === 'number' || (typeof value === 'string' && value !== '') ? String(value) : null;
}

/** The address of `rel="next"` in a `Link` header (RFC 8288). */
function nextLink(header: string | string[] | undefined): string | null {
  const links = Array.isArray(header) ? header.join(', ') : (header ?? '');
  for (const [, address = '', parameters = ''] of links.matchAll(/<([^>]*)>([^<]*)/g)) {
    if (/;\s*rel\s*=\s*"?([^";]*\s)?next(\s[^";]*)?("|;|,|\s|$)/i.test(parameters)) return address;
  }
  return null;
}

function incomplete(seen: number, total: number | undefined): SystemError {
  return new SystemError('invalid', `The system reports ${total} rows but returns none after the first ${seen}`);
}

function disordered(): SystemError {
  return new SystemError('invalid', 'The system returns the rows of a list in a different order with each call');
}

/** `rejected`, so that the next run starts a new pass. */
function unsorted(): SystemError {
  const words = 'The order of the list changes while it is read, so it cannot be read completely';
  return new SystemError('rejected', `${words}. Sort it by the key of its rows`);
}
