import type { Row } from '../driver.ts';
import { SystemError } from '../system-error.ts';
import { etagOf, isObject, listOf } from './entity-row.ts';
import { entityIn, rowOf } from './list-page.ts';
import type { ODataSession } from './odata-session.ts';
import { withQuery } from './query.ts';
import { pathOfRow, type Source } from './source.ts';

/** An entity as the service has it now. */
export interface StoredEntity {
  /** The part of the address that identifies it. */
  readonly path: string;
  readonly row: Row;
  /** The ETags of the entities that an expanded navigation leads to, in their order; undefined for those without one. */
  etagsOf(navigation: string): readonly (string | undefined)[];
  /** Headers that make a change fail if another user changes the entity first. */
  readonly match: Readonly<Record<string, string>>;
}

/** Reads an entity, including what `expand` names; null if it does not exist. */
export async function storedEntity(
  session: ODataSession,
  source: Source,
  key: string,
  expand: readonly string[] = [],
): Promise<StoredEntity | null> {
  const path = pathOfRow(source, key);
  const found = await session.find(withQuery(path, { expand: expand.join(',') }));
  if (found === null || found.value === null) return null;
  const wire = entityIn(found.value);
  const etag = (isObject(wire) ? etagOf(wire) : undefined) ?? found.headers.etag;
  const match = typeof etag === 'string' ? { 'if-match': etag } : {};
  const etagsOf = (navigation: string) => {
    const related = isObject(wire) ? wire[navigation] : undefined;
    return (listOf(related) ?? [related].filter(isObject)).map(etagOf);
  };
  return { path, row: rowOf(source, wire).row, etagsOf, match };
}

/** Reads an entity that is to be changed. @throws {SystemError} `gone` if it does not exist */
export async function existingEntity(...args: Parameters<typeof storedEntity>): Promise<StoredEntity> {
  const found = await storedEntity(...args);
  if (!found) throw new SystemError('gone', 'The record no longer exists');
  return found;
}
