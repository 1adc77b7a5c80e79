import type { Row } from '../driver.ts';
import { SystemError } from '../system-error.ts';
import type { EntityType, Metadata } from './metadata/metadata.ts';
import { decodeValue } from './values.ts';

/** Maximum nesting of expanded entities that are decoded; deeper ones are not requested. */
const DEEPEST = 8;

/**
 * An entity on the wire as a row. Values in `none` are null. Metadata that a version adds (`__metadata`, `@odata.etag`) and lists
 * that were not expanded (`__deferred`) are left out. Expanded entities become rows as well, and lists of them become lists of
 * rows.
 *
 * @throws {SystemError} `invalid` if the rest of an expanded list is at another address
 */
export function entityOf(wire: Row, type: EntityType, metadata: Metadata, depth = 0): Row {
  const row: Row = {};
  for (const [name, value] of Object.entries(wire)) {
    if (/@(odata\.)?nextLink$/.test(name)) throw cutList(name.slice(0, name.indexOf('@')), type);
    if (name.includes('@') || name.startsWith('__')) continue;
    const property = type.properties.get(name);
    const navigation = type.navigations.get(name);
    if (property) row[name] = metadata.none?.has(value) ? null : decodeValue(value, property);
    else if (!navigation) row[name] = value;
    else {
      if (isObject(value) && typeof value.__next === 'string') throw cutList(name, type);
      const target = metadata.types.get(navigation.target);
      const related = target && depth < DEEPEST ? relatedOf(value, target, metadata, depth + 1) : undefined;
      if (related !== undefined) row[name] = related;
    }
  }
  return row;
}

function relatedOf(value: unknown, type: EntityType, metadata: Metadata, depth: number): unknown {
  if (value === null) return null;
  const list = listOf(value);
  if (list) return list.map((each) => entityOf(each, type, metadata, depth));
  if (!isObject(value) || '__deferred' in value) return undefined;
  return entityOf(value, type, metadata, depth);
}

/** The entities in an expanded list on the wire; undefined if the value is none. */
export function listOf(value: unknown): readonly Row[] | undefined {
  const list = isObject(value) && 'results' in value ? value.results : value;
  return Array.isArray(list) ? list.filter(isObject) : undefined;
}

/** A partial list would be stored as if the other entities did not exist. */
function cutList(name: string, { name: typeName }: EntityType): SystemError {
  return new SystemError(
    'invalid',
    `The service returns only a part of the list ${name} in ${typeName}. Remove it from "expand" and read it as a stream of its own`,
  );
}

/** Whether a value is an object that is not a list. */
export function isObject(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The ETag of an entity on the wire, to be sent back unchanged. */
export function etagOf(wire: Row): string | undefined {
  const etag = (isObject(wire.__metadata) ? wire.__metadata.etag : undefined) ?? wire['@odata.etag'];
  return typeof etag === 'string' && etag !== '' ? etag : undefined;
}
