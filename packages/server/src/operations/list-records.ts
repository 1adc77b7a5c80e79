import type { Entity } from '@unified/contract';
import { type PageResult, page } from '@unified/store';
import { type ListParameters, type ListQuery, parseListQuery } from '../query/list-query.ts';
import type { Paging } from '../query/paging.ts';
import type { DataContext } from './context.ts';
import { entityOfOperation } from './records.ts';
import { shaped } from './shape-records.ts';

/** Requests whose check is remembered bring the same parameters again: they are understood already. */
const understood = new WeakMap<ListParameters, ListQuery>();

/** Answers any list: the envelope is put around the documents as they are stored. */
export async function listRecords(request: { readonly query: ListParameters }, context: DataContext) {
  const entity = entityOfOperation(context);
  const { query, paging, shape } = understood.get(request.query) ?? understand(entity, request.query, context);
  const result = await page(context.scope, entity, query);
  const data = await shaped(`[${result.docs}]`, shape, context);
  return { status: 200, body: { json: `{"meta":${JSON.stringify(metaOf(result, paging))},"data":${data}}` } };
}

function understand(entity: Entity, parameters: ListParameters, { sent }: DataContext): ListQuery {
  const query = parseListQuery(entity, parameters, sent);
  understood.set(parameters, query);
  return query;
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
