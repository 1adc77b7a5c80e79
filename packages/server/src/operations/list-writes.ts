import type { Request } from '@unified/contract';
import type { Context } from './context.ts';

/** Answers with a page of write records, newest first. */
export async function listWrites({ query }: Request<'listWrites'>, { writes, scope }: Context) {
  const { per_page = 50, ...rest } = query;
  const { data, nextCursor } = await writes.listWrites(scope, { ...rest, limit: per_page });
  const meta = { current_page: null, per_page, has_more: nextCursor !== null, next_cursor: nextCursor };
  return { status: 200, body: { meta, data } } as const;
}
