import type { ShownRecords } from '@unified/store';
import { everything, outsideAccess } from '../query/token-access.ts';
import type { Limits } from './token-limits.ts';

/**
 * The records whose writes and changes the token shows: records of the entities that it gives access to, of the members of
 * views of several entities, and records in a view of part of an entity. Undefined means all records.
 */
export function shownRecords({ scope, narrow }: Limits): ShownRecords | undefined {
  if (narrow === everything) return undefined;
  const visible = Object.values(scope.entities).flatMap((entity) => narrow(entity) ?? []);
  const names = visible.flatMap(({ name, view }) => {
    if (!view) return [name];
    return view.length > 1 ? view.map((member) => member.entity) : [];
  });
  return { entities: [...new Set(names)], views: visible.filter(({ view }) => view?.length === 1) };
}

/** Refuses an entity if none of its records can be shown. Throws `SERVICE_FORBIDDEN`. */
export function checkShown(shown: ShownRecords | undefined, name: string): void {
  if (!shown || shown.entities.includes(name)) return;
  const isPartShown = shown.views.some(({ view }) => view?.some(({ entity }) => entity === name));
  if (!isPartShown) throw outsideAccess(`the entity ${name}`);
}
