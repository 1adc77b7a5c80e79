import { entityOf, type Request, recordAddress } from '@unified/contract';
import { changesAfter, latestChange } from '@unified/store';
import type { DataContext } from './context.ts';

const FROM_THE_BEGINNING = '0';

/** Returns a page of the change log, oldest first. */
export async function listChanges({ query }: Request<'listChanges'>, { scope }: DataContext) {
  const { per_page = 50, cursor = FROM_THE_BEGINNING } = query;
  const from = cursor === 'latest' ? await latestChange(scope) : cursor;
  const found = await changesAfter(scope, from, per_page, query.entity ?? null);
  const data = found.changes.map((change) => {
    const collection = entityOf(change.entity)?.collection ?? '';
    return { ...change, fields: [...change.fields], href: recordAddress(scope.publicUrl, collection, change.id) };
  });
  const meta = { per_page, has_more: found.hasMore, next_cursor: found.cursor };
  return { status: 200, body: { meta, data } } as const;
}
