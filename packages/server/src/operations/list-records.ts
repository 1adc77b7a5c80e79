import { type PageResult, page } from '@unified/store';
import { type ListParameters, parseListQuery } from '../query/list-query.ts';
import type { Paging } from '../query/paging.ts';
import type { Context } from './context.ts';
import { entityOfOperation } from './records.ts';
import { shaped } from './shape-records.ts';

/** Answers any list: the envelope is put around the documents as they are stored. */
export async function listRecords(request: { readonly query: ListParameters }, context: Context) {
  const entity = entityOfOperation(context);
  const { query, paging, shape } = parseListQuery(entity, request.query, context.sent);
  const result = await page(context.scope, entity, query);
  const data = await shaped(`[${result.docs}]`, shape, context);
  return { status: 200, body: { json: `{"meta":${JSON.stringify(metaOf(result, paging))},"data":${data}}` } };
}

function metaOf({ hasMore, nextCursor, total }: PageResult, { page, limit }: Paging) {
  return {
    current_page: page,
    per_page: limit,
    has_more: hasMore,
    next_cursor: nextCursor,
    ...(total !== undefined && { total, last_page: Math.max(1, Math.ceil(total / limit)) }),
  };
}
