import type { Request } from '@unified/contract';
import { knownEntity } from '../query/known-entity.ts';
import type { DataContext } from './context.ts';

/** Answers with a page of write records, newest first. */
export async function listWrites({ query }: Request<'listWrites'>, { engine, scope }: DataContext) {
  const { per_page = 50, status, ...others } = query;
  if (query.entity !== undefined) knownEntity(query.entity);
  // A dry run is answered, never stored.
  if (status === 'planned') return pageOf([], per_page, null);
  const { data, nextCursor } = await engine.listWrites(scope, {
    ...others,
    ...(status !== undefined && { status }),
    limit: per_page,
  });
  return pageOf(data, per_page, nextCursor);
}

function pageOf<Item>(data: Item[], perPage: number, nextCursor: string | null) {
  const meta = { current_page: null, per_page: perPage, has_more: nextCursor !== null, next_cursor: nextCursor };
  return { status: 200, body: { meta, data } } as const;
}
