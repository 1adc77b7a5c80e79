import { type PageResult, page } from '@unified/store';
import { type ListParameters, parseListQuery } from '../query/list-query.ts';
import type { Paging } from '../query/paging.ts';
import type { Context } from './context.ts';
import { expandRecords } from './expand-records.ts';
import { entityOfOperation } from './records.ts';

/** Answers any list: the envelope is put around the documents as they are stored, without reading them. */
export async function listRecords(request: { readonly query: ListParameters }, context: Context) {
  const entity = entityOfOperation(context);
  const { query, paging, expansion } = parseListQuery(entity, request.query, context.sent);
  const result = await page(context.scope, entity, query);
  const data = expansion.size === 0 ? `[${result.docs}]` : await expanded(result.docs, expansion, context);
  return { status: 200, body: { json: `{"meta":${JSON.stringify(metaOf(result, paging))},"data":${data}}` } };
}

async function expanded(docs: string, expansion: Parameters<typeof expandRecords>[2], context: Context) {
  const records: Record<string, unknown>[] = JSON.parse(`[${docs}]`);
  await expandRecords(context, records, expansion);
  return JSON.stringify(records);
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
