import { entityOf, type Request, recordAddress } from '@unified/contract';
import { type Change, changesAfter, entityIn, latestChange, type Scope } from '@unified/store';
import { everything, type Narrow } from '../query/token-access.ts';
import type { DataContext } from './context.ts';
import { narrowedEntity } from './token-limits.ts';

const FROM_THE_BEGINNING = '0';

/** Returns a page of the change log, oldest first. */
export async function listChanges({ query }: Request<'listChanges'>, { scope, narrow }: DataContext) {
  const { per_page = 50, cursor = FROM_THE_BEGINNING } = query;
  const from = cursor === 'latest' ? await latestChange(scope) : cursor;
  const entities = query.entity ?? visibleNames({ scope, narrow });
  for (const name of query.entity ?? []) narrowedEntity(entityIn(scope, name), narrow);
  const found = await changesAfter(scope, from, per_page, entities ?? null);
  const data = found.changes.flatMap((change) => {
    const fields = visibleFieldsOf(change, narrow);
    if (!fields) return [];
    const collection = entityOf(change.entity)?.collection ?? '';
    return [{ ...change, fields, href: recordAddress(scope.publicUrl, collection, change.id) }];
  });
  const meta = { per_page, has_more: found.hasMore, next_cursor: found.cursor };
  return { status: 200, body: { meta, data } } as const;
}

/** Names of the entities that the token gives access to; undefined: all. */
function visibleNames({ scope, narrow }: { readonly scope: Scope; readonly narrow: Narrow }) {
  if (narrow === everything) return undefined;
  return Object.values(scope.entities).flatMap((entity) => narrow(entity)?.name ?? []);
}

/** The changed fields that the token gives access to; undefined for an update of other fields only. */
function visibleFieldsOf({ entity: name, kind, fields }: Change, narrow: Narrow): string[] | undefined {
  const entity = entityOf(name);
  const narrowed = entity && narrow(entity);
  if (!narrowed?.isPartial) return [...fields];
  const visible = fields.filter((field) => narrowed.field[field]);
  return visible.length > 0 || kind !== 'updated' ? visible : undefined;
}
