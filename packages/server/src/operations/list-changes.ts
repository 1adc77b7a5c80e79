import type { Request } from '@unified/contract';
import { latestChange } from '@unified/store';
import { awaitedChanges } from './awaited-changes.ts';
import { changeEvents } from './change-events.ts';
import type { DataContext } from './context.ts';
import { listBody } from './list-body.ts';
import { notAcceptable } from './not-acceptable.ts';
import { type ChangeQuery, shownChanges } from './shown-changes.ts';
import { checkShown, shownRecords } from './visible-records.ts';

const JSON_TYPE = 'application/json';
const EVENTS_TYPE = 'text/event-stream';

type ChangeSelection = Pick<ChangeQuery, 'entities' | 'kinds' | 'include'>;

/** Returns the change log, oldest first: as a page, or as a stream that continues with future changes. */
export async function listChanges({ query, headers }: Request<'listChanges'>, context: DataContext) {
  const { entity: entities, kind: kinds, include } = query;
  const type = context.accepts([JSON_TYPE, EVENTS_TYPE]);
  if (type === undefined) throw notAcceptable([JSON_TYPE, EVENTS_TYPE]);
  const shown = shownRecords(context);
  for (const name of entities ?? []) checkShown(shown, name);
  const selection = { entities, kinds, include };
  if (type === EVENTS_TYPE) {
    const from = headers['Last-Event-ID'] || (await cursorOf(query, context));
    return { status: 200, type, body: await changeEvents(context, from, selection), headers: STREAMED } as const;
  }
  return { status: 200, body: { json: await pageOfChanges(query, selection, context) }, headers: VARY } as const;
}

const VARY = { Vary: 'Accept' };
/** Proxies must neither store nor buffer the events; `X-Accel-Buffering` is for nginx. */
const STREAMED = { ...VARY, 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' };

/** The position that `cursor` names; null means the oldest change that is kept. */
async function cursorOf({ cursor }: { readonly cursor?: string }, { scope }: DataContext): Promise<string | null> {
  return cursor === 'latest' ? await latestChange(scope) : (cursor ?? null);
}

/** With `wait`, returns as soon as there is a change. The page ends early if it would exceed the size limit of a response. */
async function pageOfChanges(query: Request<'listChanges'>['query'], selection: ChangeSelection, context: DataContext) {
  const { per_page = 50, wait = 0 } = query;
  const from = await cursorOf(query, context);
  const wanted = { ...selection, limit: per_page, largestBytes: context.largestResponse };
  const found = await (wait > 0
    ? awaitedChanges(context, from, wanted, wait * 1000)
    : shownChanges(context, from, wanted));
  const meta = { per_page, has_more: found.hasMore, next_cursor: found.cursor };
  return listBody(
    meta,
    found.changes.map((change) => change.json),
  );
}
