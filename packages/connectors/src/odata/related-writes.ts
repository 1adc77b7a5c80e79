import { refuseChangedList } from '../changed-list.ts';
import { type KnownLists, ROW_KEY, type Row } from '../driver.ts';
import { keyOf, keyValues } from '../row-key.ts';
import { SystemError } from '../system-error.ts';
import { type EncodedEntity, encodeDeep, encodeEntity, targetOf } from './encode-entity.ts';
import { isObject } from './entity-row.ts';
import { entityPath } from './literal.ts';
import type { EntityType, Metadata } from './metadata/metadata.ts';
import type { OrderedRequest } from './send-in-order.ts';
import type { Source } from './source.ts';
import type { StoredEntity } from './stored-entity.ts';

/**
 * Requests that change the entities that belong to a row. A list element with the key of a row changes that row, an element
 * without a key adds a row, and rows that the list does not contain are deleted, in the order of changes, deletes and additions.
 * A single related entity is changed. A row is changed or deleted with the ETag that it has in the list.
 *
 * @throws {SystemError} `outdated` if the rows of a list differ from `known`; `rejected` if an entity to change does not exist
 */
export function relatedRequests(
  source: Source,
  stored: StoredEntity,
  related: EncodedEntity['related'],
  known: KnownLists = {},
): OrderedRequest[] {
  const { metadata, set } = source;
  return [...related].flatMap(([name, value]) => {
    const target = targetOf(set.type, name, metadata);
    const now = stored.row[name];
    if (Array.isArray(value)) {
      const rows: readonly Row[] = Array.isArray(now) ? now.filter(isObject) : [];
      const list = { path: `${stored.path}/${name}`, target, metadata, rows, etags: stored.etagsOf(name) };
      return listRequests(list, value, { name, known: known[name] });
    }
    if (set.type.navigations.get(name)?.isCollection) {
      throw new SystemError('rejected', `Single rows of ${name} can be set only by a create`, { columns: [name] });
    }
    if (!isObject(now))
      throw new SystemError('rejected', `The record has no ${name} that could be changed`, { columns: [name] });
    const one = { path: `${stored.path}/${name}`, target, metadata, rows: [now], etags: stored.etagsOf(name) };
    return [changeOf({ ...one, isSingle: true }, keyOf(now, target.key), value as Row)];
  });
}

/** Where the rows of a list, or a single related entity, are written. */
interface RelatedSet {
  /** Path that new rows are posted to, or the path of the single entity. */
  readonly path: string;
  readonly target: EntityType;
  readonly metadata: Metadata;
  /** The entities as they were read, and the ETag of each. */
  readonly rows: readonly Row[];
  readonly etags: readonly (string | undefined)[];
  readonly isSingle?: true;
}

function listRequests(
  list: RelatedSet,
  elements: readonly Row[],
  { name, known }: { readonly name: string; readonly known: readonly string[] | undefined },
): OrderedRequest[] {
  const { target, metadata, path, rows } = list;
  const keys = rows.map((row) => keyOf(row, target.key));
  refuseChangedList(name, known, keys);
  const kept = new Set(elements.map((element) => element[ROW_KEY]).filter((key) => key !== undefined));
  const removed = keys.filter((key) => !kept.has(key));
  const changed = elements.flatMap((element) => {
    const key = element[ROW_KEY];
    return typeof key === 'string' ? [changeOf(list, key, element)] : [];
  });
  const added = elements.filter((element) => element[ROW_KEY] === undefined);
  return [
    ...changed,
    ...removed.map((key): OrderedRequest => ({ method: 'DELETE', ...existing(list, key), changes: true })),
    // Last, because a new row may have the number of a deleted one.
    ...added.map((element): OrderedRequest => {
      return { method: 'POST', path, body: encodeDeep(element, target, metadata), changes: true };
    }),
  ];
}

/** The path of a row, and the headers that make its change fail if another user changes it first, if it has an ETag. */
function existing(list: RelatedSet, key: string): Pick<OrderedRequest, 'path' | 'headers' | 'before'> {
  const { target, metadata, rows, etags } = list;
  const index = rows.findIndex((row) => keyOf(row, target.key) === key);
  const [row, etag] = [rows[index], etags[index]];
  const path = pathOfRelated(list, key);
  // Some services require the header in any case.
  if (!row || etag === undefined) return { path, headers: { 'if-match': '*' } };
  return { path, headers: { 'if-match': etag }, before: { row, type: target, metadata } };
}

function changeOf(list: RelatedSet, key: string, values: Row): OrderedRequest {
  const { own } = encodeEntity(values, list.target, list.metadata);
  const body = Object.fromEntries(Object.entries(own).filter(([name]) => !list.target.key.includes(name)));
  const method = list.metadata.version === 2 ? 'MERGE' : 'PATCH';
  return { method, ...existing(list, key), body, changes: true };
}

/** The path of a related entity in the set of its type or, without such a set, below the entity that it belongs to. */
function pathOfRelated({ target, metadata, path, isSingle }: RelatedSet, key: string): string {
  const set = [...metadata.sets.values()].find(({ type }) => type.name === target.name);
  const values = keyValues(key, target.key);
  if (set) return entityPath(set.name, target, target.key, values, metadata.version);
  if (isSingle) return path;
  return `${path.slice(0, path.lastIndexOf('/') + 1)}${entityPath(path.slice(path.lastIndexOf('/') + 1), target, target.key, values, metadata.version)}`;
}
