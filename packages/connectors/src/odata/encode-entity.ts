import { ROW_KEY, type Row } from '../driver.ts';
import { SystemError } from '../system-error.ts';
import { isObject } from './entity-row.ts';
import type { EntityType, Metadata } from './metadata/metadata.ts';
import { encodeValue } from './values.ts';

/** Values of an entity for a request, and those of the entities that its navigations lead to. */
export interface EncodedEntity {
  readonly own: Row;
  /** Values as they were given, by navigation: a list, or one entity. */
  readonly related: ReadonlyMap<string, readonly Row[] | Row>;
}

/** Separates the values of the entity itself from those of related entities. @throws {SystemError} `rejected` */
export function encodeEntity(values: Row, type: EntityType, metadata: Metadata): EncodedEntity {
  const own: Row = {};
  const related = new Map<string, readonly Row[] | Row>();
  for (const [name, value] of Object.entries(values)) {
    if (name === ROW_KEY) continue;
    const property = type.properties.get(name);
    if (property) own[name] = encodeValue(value, property, metadata.version);
    else if (!type.navigations.has(name)) {
      throw new SystemError('rejected', `The service has no property ${name} in ${type.name}`, { columns: [name] });
    } else if (Array.isArray(value)) related.set(name, value.filter(isObject));
    else if (isObject(value)) related.set(name, value);
  }
  return { own, related };
}

/** The body of a create: the entity with all related entities. */
export function encodeDeep(values: Row, type: EntityType, metadata: Metadata): Row {
  const { own, related } = encodeEntity(values, type, metadata);
  const body: Row = { ...own };
  for (const [name, value] of related) {
    const target = targetOf(type, name, metadata);
    const deep = (each: Row) => encodeDeep(each, target, metadata);
    if (Array.isArray(value)) body[name] = value.map(deep);
    // A mapping that sets `to_Role.0.Role` yields an object whose keys are list positions.
    else if (type.navigations.get(name)?.isCollection) body[name] = Object.values(value).filter(isObject).map(deep);
    else body[name] = deep(value as Row);
  }
  return body;
}

/** The type that a navigation leads to. */
export function targetOf(type: EntityType, navigation: string, metadata: Metadata): EntityType {
  const name = type.navigations.get(navigation)?.target;
  const target = name === undefined ? undefined : metadata.types.get(name);
  if (!target) throw new SystemError('rejected', `The service has no ${navigation} in ${type.name}`);
  return target;
}
