import type { PulledPage, PullRequest } from '../driver.ts';
import type { Json } from '../json.ts';
import { afterPage, fingerprintOf, type KnownPage, knownPage } from '../repeated-page.ts';
import { SystemError } from '../system-error.ts';
import { isObject } from './entity-row.ts';
import { pageOfResponse } from './list-page.ts';
import type { ODataSession } from './odata-session.ts';
import { allOf, behind, listShapeOf, orderOf, type QueryOptions, withQuery } from './query.ts';
import type { Source } from './source.ts';

/** Where a pass continues: at an address from the server, or after the key of the last row. */
interface Position {
  /** Path of the server's next page. */
  readonly link?: string;
  /** Entities in the pages since the last request that did not follow a link. */
  readonly got: number;
  readonly after?: string;
  /** Key of the last entity of these pages. */
  readonly last?: string;
  /** An earlier page, to detect a cycle of links. */
  readonly known: KnownPage | null;
}

/**
 * One page of the rows that meet the conditions, in the order of their keys. The server may return fewer than `$top` with a link
 * to the rest, which is followed. Without a link, the next request continues after the last key, so that rows that are added or
 * deleted in the meantime do not shift the pages. Only a request without any rows ends the pass: a server may return fewer rows
 * than `$top` of its own accord, and an empty page at the end of its links. With `paging: links`, the server alone determines
 * the pages and their order.
 */
export async function page(
  session: ODataSession,
  source: Source,
  conditions: readonly (string | undefined)[],
  { from, limit, signal }: PullRequest,
): Promise<PulledPage> {
  const at = positionOf(from);
  const isLinked = session.paging === 'links';
  const asked = isLinked ? {} : { orderby: orderOf(source), top: String(limit) };
  const path = at.link ?? firstPath(source, [...conditions, at.after && behind(source, at.after)], asked);
  const headers = source.metadata.version === 4 ? { prefer: `odata.maxpagesize=${limit}` } : {};
  const { value } = await session.send({ method: 'GET', path, headers, signal });
  const { rows, keys, nextLink } = pageOfResponse(source, value);
  const got = at.got + keys.length;
  const last = keys.at(-1) ?? at.last;
  if (nextLink !== undefined) {
    const link = session.pathOf(nextLink);
    if (link === at.link) throw new SystemError('invalid', 'The service continues a list with the same page');
    const known = afterPage(at.known, fingerprintOf(rows, link));
    const { after } = at;
    return {
      rows,
      next: { link, got, known, ...(after !== undefined && { after }), ...(last !== undefined && { last }) },
    };
  }
  // More rows than requested: the server ignores `$top`, so these are all.
  if (isLinked || last === undefined || got > limit) return { rows, next: null };
  if (at.after !== undefined && keys.includes(at.after)) {
    throw new SystemError(
      'invalid',
      `The service ignores the condition on the key of ${source.listed.set.name}: if it limits its pages itself, set the option "paging" of the platform to "links"`,
    );
  }
  return { rows, next: { after: last, got: 0, known: afterPage(at.known, fingerprintOf(rows, last)) } };
}

function firstPath(source: Source, conditions: readonly (string | undefined)[], asked: QueryOptions): string {
  const filter = allOf([source.options.filter, ...conditions]);
  return withQuery(source.listed.set.name, { ...listShapeOf(source), filter, ...asked });
}

function positionOf(from: Json | null): Position {
  if (!isObject(from)) return { got: 0, known: null };
  const { link, got, after, last, known } = from;
  return {
    got: typeof got === 'number' ? got : 0,
    known: knownPage(known as Json),
    ...(typeof link === 'string' && { link }),
    ...(typeof after === 'string' && { after }),
    ...(typeof last === 'string' && { last }),
  };
}
