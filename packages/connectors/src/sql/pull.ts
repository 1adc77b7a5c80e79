import type { PulledPage, PullRequest, Row } from '../driver.ts';
import type { Json } from '../json.ts';
import { SystemError } from '../system-error.ts';
import type { Query } from './database.ts';
import { keyOf } from './key.ts';
import type { StreamOptions } from './options.ts';
import { quote } from './quote.ts';
import { selection } from './selection.ts';
import type { Statement } from './statements.ts';

/** Alias under which the exact text of the position travels; a decoded moment would lose microseconds. */
const POSITION = '__position';

/** Reads one page by keyset: full passes in the order of the key, incremental ones in the order of the cursor. */
export async function pull(
  query: Query,
  schema: string,
  options: StreamOptions,
  request: PullRequest,
): Promise<PulledPage> {
  const { stream, limit } = request;
  const { text, values } = pageStatement(schema, options, request);
  const rows = await query(text, values);
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return {
    rows: page.map(({ [POSITION]: _, ...row }: Row) => ({ key: keyOf(row, stream.key), row })),
    next: (last?.[POSITION] as Json | undefined) ?? null,
  };
}

function pageStatement(schema: string, options: StreamOptions, request: PullRequest): Statement {
  const { stream, mode, since, from, limit } = request;
  if (mode === 'incremental' && stream.cursor === undefined) {
    throw new SystemError('rejected', `${stream.name} has no cursor: only full passes`);
  }
  const cursor = mode === 'incremental' ? [stream.cursor ?? ''] : [];
  const order = [...cursor, ...stream.key].map((column) => `t.${quote(column)}`);
  const { text, values } = selection(schema, options);
  const begin = beginning(order, values.length, cursor.length > 0 ? since : null, from);
  return {
    text: `SELECT ${text}, json_build_array(${order.map((column) => `${column}::text`).join(', ')}) AS ${POSITION}
      FROM ${quote(schema)}.${quote(options.view)} AS t ${begin.text}
      ORDER BY ${order.join(', ')} LIMIT ${Math.trunc(limit) + 1}`,
    values: [...values, ...begin.values],
  };
}

/** Where a page begins: after the last row of the page before, at the mark, or at the very start. */
function beginning(order: readonly string[], used: number, since: Json, from: Json): Statement {
  if (Array.isArray(from)) {
    const places = order.map((_, index) => `$${used + index + 1}`).join(', ');
    return { text: `WHERE (${order.join(', ')}) > (${places})`, values: from };
  }
  return since === null ? { text: '', values: [] } : { text: `WHERE ${order[0]} >= $${used + 1}`, values: [since] };
}
