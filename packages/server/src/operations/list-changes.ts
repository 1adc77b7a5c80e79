import { type Entity, type Request, recordAddress } from '@unified/contract';
import { type Change, changesAfter, latestChange } from '@unified/store';
import { everything, type NarrowedEntity } from '../query/token-access.ts';
import type { DataContext } from './context.ts';
import type { Limits } from './token-limits.ts';
import { checkShown, shownRecords } from './visible-records.ts';

const FROM_THE_BEGINNING = '0';

/** Returns a page of the change log, oldest first. */
export async function listChanges({ query }: Request<'listChanges'>, { scope, narrow }: DataContext) {
  const { per_page = 50, cursor = FROM_THE_BEGINNING, entity: entities } = query;
  const from = cursor === 'latest' ? await latestChange(scope) : cursor;
  const shown = shownRecords({ scope, narrow });
  for (const name of entities ?? []) checkShown(shown, name);
  const found = await changesAfter(scope, from, per_page, { ...(entities && { entities }), ...(shown && { shown }) });
  const data = found.changes.flatMap((change) => {
    const showing = entitiesShowing(change, { scope, narrow });
    const fields = visibleFieldsOf(change, showing);
    if (!fields) return [];
    const href = recordAddress(scope.publicUrl, showing[0]?.collection ?? '', change.id);
    const { views: _, ...logged } = change;
    return [{ ...logged, fields, href }];
  });
  const meta = { per_page, has_more: found.hasMore, next_cursor: found.cursor };
  return { status: 200, body: { meta, data } } as const;
}

/** The entities by which the token shows the record, its own first, as the token may use them. */
function entitiesShowing({ entity: name, views }: Change, { scope, narrow }: Limits): NarrowedEntity[] {
  const own = scope.entities[name];
  if (narrow === everything) return own ? [own] : [];
  const shows = ({ name: each, view }: Entity) =>
    views.includes(each) || (view && view.length > 1 && view.some(({ entity }) => entity === name));
  const showing = Object.values(scope.entities).filter((each) => each !== own && shows(each));
  return [...(own ? [own] : []), ...showing].flatMap((each) => narrow(each) ?? []);
}

/** The changed fields that one of these entities shows; undefined for an update of other fields only. */
function visibleFieldsOf({ entity, kind, fields }: Change, showing: readonly NarrowedEntity[]): string[] | undefined {
  const isWhole = showing.some(({ name, isPartial }) => name === entity && !isPartial);
  if (isWhole) return [...fields];
  const visible = fields.filter((name) => showing.some(({ field }) => field[name]));
  return visible.length > 0 || kind !== 'updated' ? visible : undefined;
}
