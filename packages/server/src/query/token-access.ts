import { defineEntity, type Entity, entityOf, type Field, referredEntities, ServiceError } from '@unified/contract';
import type { TokenAccess } from '@unified/store';

/** An entity as far as a token allows its use. For a token without restrictions, it has none of these properties. */
export interface NarrowedEntity extends Entity {
  /** Whether the token shows only part of the stored records: they are then returned with the fields of the entity. */
  readonly isPartial?: true;
  /** Whether fields are left out. */
  readonly lacksFields?: true;
  /** Whether the labels of its records are hidden: `_displayValue` then repeats `_idValue`. */
  readonly hidesLabel?: true;
  /** Whether the labels of another entity's records are shown, by the name of that entity; if absent, all are shown. */
  readonly showsLabelOf?: (entity: string) => boolean;
}

/**
 * Reduces an entity to the fields that a token gives access to. Undefined if the token gives no access to the entity. Whatever
 * is parsed, selected, expanded or written with the narrowed entity cannot reach the other fields.
 */
export type Narrow = (entity: Entity) => NarrowedEntity | undefined;

/** For a token without restrictions. */
export const everything: Narrow = (entity) => entity;

const known = new WeakMap<TokenAccess, Narrow>();

/**
 * Access that leaves out all fields that it does not list, even if the schema requires them, except the id of a record and the
 * properties that the service adds. A label that it does not list is hidden.
 */
export function withholding(access: TokenAccess): TokenAccess {
  known.set(access, narrowing(access, true));
  return access;
}

/** Narrows entities to what a token gives access to; null means everything. */
export function narrowedTo(access: TokenAccess | null): Narrow {
  if (access === null) return everything;
  const narrow = known.get(access) ?? narrowing(access);
  known.set(access, narrow);
  return narrow;
}

function narrowing(access: TokenAccess, withholds = false): Narrow {
  const granted = new Map(access.map(({ entity, fields }) => [entity, fields && new Set(fields)]));
  const narrowed = new Map<string, NarrowedEntity>();
  return (entity) => {
    if (!granted.has(entity.name)) return undefined;
    const made = narrowed.get(entity.name) ?? reduced(entity, granted, withholds);
    narrowed.set(entity.name, made);
    return made;
  };
}

/** Entities that a token gives access to, each with the names of its fields; undefined means all fields. */
type Granted = ReadonlyMap<string, ReadonlySet<string> | undefined>;

/**
 * Fields that the schema requires are always included, as with `fields=`. The records of a view are stored with all fields of
 * its members, so access to only the view is access to part of them.
 */
function reduced(entity: Entity, granted: Granted, withholds: boolean): NarrowedEntity {
  const names = granted.get(entity.name);
  const shows = withholds ? listsLabel : showsLabel;
  const hidesLabel = !shows(entity, names);
  const isNeeded = ({ name, required }: Field) => required && (!withholds || name === 'id' || name.startsWith('_'));
  const isKept = (field: Field) => names === undefined || isNeeded(field) || names.has(field.name);
  const kept = entity.fields.filter((field) => isKept(field) && !(hidesLabel && field.name === '_displayValue'));
  const fields = kept.map((field) => withTargets(field, (name) => granted.has(name)));
  const lacksFields = kept.length < entity.fields.length;
  const showsLabelOf = (name: string) => granted.has(name) && shows(entityOf(name), granted.get(name));
  const isWhole = (name: string) => granted.has(name) && granted.get(name) === undefined;
  const isPartial = lacksFields || entity.view?.some((member) => !isWhole(member.entity));
  return {
    ...defineEntity({ ...entity, fields }),
    ...(isPartial && { isPartial: true }),
    ...(lacksFields && { lacksFields: true }),
    ...(hidesLabel && { hidesLabel: true }),
    ...((hidesLabel || !referredFrom(entity).every(showsLabelOf)) && { showsLabelOf }),
  };
}

/** Names of the entities that stored records of an entity may refer to, including within their objects. */
function referredFrom({ name, view, fields }: Entity): string[] {
  const members = view?.flatMap((member) => entityOf(member.entity)?.fields ?? []) ?? [];
  return [name, ...referredEntities([...fields, ...members])];
}

/**
 * Whether a token with these fields of an entity, undefined for all, shows the label of its records. What a label consists of
 * depends on the platform, but it is at most a name. A token that does not show the name shows the label only if it lists the
 * label.
 */
function showsLabel(entity: Entity | undefined, names: ReadonlySet<string> | undefined): boolean {
  if (names === undefined || names.has('_displayValue')) return true;
  return entity?.field.name?.required === true || names.has('name');
}

/** Whether these fields, undefined for all, include the label itself. */
function listsLabel(_entity: Entity | undefined, names: ReadonlySet<string> | undefined): boolean {
  return names === undefined || names.has('_displayValue');
}

function withTargets(field: Field, isGranted: (name: string) => boolean): Field {
  return field.targets ? { ...field, targets: field.targets.filter(isGranted) } : field;
}

/** The error for an entity or a field that the token gives no access to. */
export function outsideAccess(what: string): ServiceError {
  return new ServiceError('SERVICE_FORBIDDEN', `The token does not give access to ${what}. Use one that does.`);
}
