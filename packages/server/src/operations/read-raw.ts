import type { Request } from '@unified/contract';
import { budgetOf } from '@unified/store';
import { parseRawFilter, parseRawSort } from '../query/raw-query.ts';
import type { DataContext } from './context.ts';

/** Returns the streams of the connection with their columns and number of rows. */
export async function listRawTables(_request: Request<'listRawTables'>, { engine, scope }: DataContext) {
  return { status: 200, body: { meta: {}, data: await engine.rawTables(scope) } } as const;
}

/** Returns a page of the rows of a stream. The page ends early if it would exceed the size limit of a response. */
export async function listRawRows({ path, query }: Request<'listRawRows'>, context: DataContext) {
  const { engine, scope, sent, largestResponse } = context;
  const { per_page = 50, cursor, sort = 'key' } = query;
  const { columns, hasColumn } = await engine.rawTable(scope, path.table);
  const wanted = {
    stream: path.table,
    conditions: await parseRawFilter(sent.filter, columns, hasColumn),
    sort: await parseRawSort(sort, columns, hasColumn),
    limit: per_page,
    cursor,
  };
  const { rows, nextCursor } = await engine.rawRows(scope, wanted, budgetOf(largestResponse));
  const meta = { current_page: null, per_page, has_more: nextCursor !== null, next_cursor: nextCursor };
  return { status: 200, body: { meta, data: rows } } as const;
}
