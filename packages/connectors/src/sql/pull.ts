import type { PulledPage, PullRequest, Row } from '../driver.ts';
import type { Json } from '../json.ts';
import { SystemError } from '../system-error.ts';
import { changedSince } from './cursor.ts';
import type { Query } from './database.ts';
import { compare, POSITION, position } from './keyset.ts';
import { isListPosition, nextList, pullByList } from './pull-by-list.ts';
import { quote } from './quote.ts';
import { rowOf, selection } from './selection.ts';
import type { Statement } from './statements.ts';
import { cursorsOf, keyIn, type Source, viewOf } from './target.ts';

/**
 * Reads one page by keyset: full passes in the order of the key, incremental ones in the order of the cursor. When an
 * incremental pass has read the rows that changed, it goes on with those of which lines changed, list by list.
 */
export async function pull(query: Query, source: Source, request: PullRequest): Promise<PulledPage> {
  const { mode, since, from, limit } = request;
  if (isListPosition(from)) return pullByList(query, source, request, from);
  const { text, values } = pageStatement(source, request);
  const rows = await query(text, values);
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  const lists = mode === 'incremental' ? nextList(source, since, '') : null;
  return {
    rows: page.map(({ [POSITION]: _, ...row }: Row) => {
      const read = rowOf(source, row);
      return { key: keyIn(source, read), row: read };
    }),
    next: (last?.[POSITION] as Json | undefined) ?? lists,
  };
}

function pageStatement(source: Source, { stream, mode, since, from, limit }: PullRequest): Statement {
  const [cursor] = mode === 'incremental' ? cursorsOf(source) : [];
  if (mode === 'incremental' && !cursor) {
    throw new SystemError('rejected', `${stream.name} has no cursor: only full passes`);
  }
  const order = [...(cursor ? [cursor.cursor.column] : []), ...stream.key.map(quote)].map((column) => `t.${column}`);
  const values: unknown[] = [];
  const selected = selection(source, values);
  const begin = Array.isArray(from)
    ? compare(order, '>', from, values)
    : cursor && since !== null && changedSince(cursor.cursor, 't', since, '', values);
  return {
    text: `SELECT ${selected}, ${position(order)}
      FROM ${viewOf(source).sql} AS t ${begin ? `WHERE ${begin}` : ''}
      ORDER BY ${order.join(', ')} LIMIT ${Math.trunc(limit) + 1}`,
    values,
  };
}
