import type { Request } from '@unified/contract';
import { latestChange } from '@unified/store';
import { awaitedChanges } from './awaited-changes.ts';
import type { DataContext } from './context.ts';
import { listBody } from './list-body.ts';
import { shownChanges } from './shown-changes.ts';
import { checkShown, shownRecords } from './visible-records.ts';

/**
 * Returns a page of the change log, oldest first; with `wait`, as soon as there is a change. It ends early if it would have more
 * bytes than a response may have.
 */
export async function listChanges({ query }: Request<'listChanges'>, context: DataContext) {
  const { per_page = 50, cursor = null, entity: entities, kind: kinds, include, wait = 0 } = query;
  const shown = shownRecords(context);
  for (const name of entities ?? []) checkShown(shown, name);
  const from = cursor === 'latest' ? await latestChange(context.scope) : cursor;
  const wanted = { limit: per_page, largestBytes: context.largestResponse, entities, kinds, include };
  const found = await (wait > 0
    ? awaitedChanges(context, from, wanted, wait * 1000)
    : shownChanges(context, from, wanted));
  const meta = { per_page, has_more: found.hasMore, next_cursor: found.cursor };
  const json = listBody(
    meta,
    found.changes.map((change) => change.json),
  );
  return { status: 200, body: { json } } as const;
}
