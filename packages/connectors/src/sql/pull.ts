import type { ChangesRequest, PulledPage, PullRequest, Row } from '../driver.ts';
import type { Json } from '../json.ts';
import { SystemError } from '../system-error.ts';
import { changedSince } from './cursor-column.ts';
import type { Query } from './dialect/sql-dialect.ts';
import { isListPosition, nextList, pullByList } from './pull-by-list.ts';
import { compare, listIn, POSITION, position, rowOf, selection } from './selection.ts';
import { cursorsOf, keyIn, type Source, viewOf } from './source.ts';

/** One page of a full pass, by keyset in the order of the key. */
export async function pull(query: Query, source: Source, { from, limit }: PullRequest): Promise<PulledPage> {
  const values: unknown[] = [];
  const order = keyOrder(source);
  const selected = selection(source, values);
  const begin = Array.isArray(from) ? compare(source.dialect, order, '>', from, values) : null;
  return page(query, source, { selected, order, begin, values, limit }, null);
}

/**
 * One page of an incremental pass, by keyset in the order of the cursor. After the changed rows, it continues with the rows of
 * changed lines, list by list.
 */
export async function pullChanges(query: Query, source: Source, request: ChangesRequest): Promise<PulledPage> {
  const { stream, since, from, limit } = request;
  if (isListPosition(from)) return pullByList(query, source, request, from);
  const [own] = cursorsOf(source);
  if (!own) throw new SystemError('rejected', `${stream.name} has no cursor: only full passes`);
  const values: unknown[] = [];
  const order = [`t.${own.cursor.column}`, ...keyOrder(source)];
  const selected = selection(source, values);
  const begin = Array.isArray(from)
    ? compare(source.dialect, order, '>', from, values)
    : since === null
      ? null
      : changedSince(source.dialect, own.cursor, 't', since, '', values);
  return page(query, source, { selected, order, begin, values, limit }, nextList(source, since, ''));
}

interface PageQuery {
  readonly selected: string;
  readonly order: readonly string[];
  /** Condition on the first row of the page. */
  readonly begin: string | null;
  readonly values: readonly unknown[];
  readonly limit: number;
}

/** `after`: where the pass continues after the last page. */
async function page(
  query: Query,
  source: Source,
  { selected, order, begin, values, limit }: PageQuery,
  after: Json,
): Promise<PulledPage> {
  const rows = await query(
    source.dialect.spell.page({
      columns: `${selected}, ${position(source.dialect, order)}`,
      from: `${viewOf(source).sql} AS t ${begin ? `WHERE ${begin}` : ''}`,
      order,
      limit: Math.trunc(limit) + 1,
    }),
    values,
  );
  const read = rows.map(({ [POSITION]: _, ...selected }: Row) => {
    const row = rowOf(source, selected);
    return { key: keyIn(source, row), row };
  });
  // The next page begins after this position, so a second row with the last key would be in neither page.
  const isSplit = rows.length > limit && read.at(limit)?.key === read.at(limit - 1)?.key;
  const end = isSplit ? limit + 1 : limit;
  const last = rows.length > limit ? rows[end - 1] : undefined;
  return { rows: read.slice(0, end), next: last ? listIn(last[POSITION]) : after };
}

function keyOrder({ dialect, stream }: Source): string[] {
  return stream.key.map((column) => `t.${dialect.spell.quote(column)}`);
}
