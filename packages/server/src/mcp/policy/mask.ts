import { type Entity, entities, entityOf, type FieldKind } from '@unified/contract';
import type { TokenAccess } from '@unified/store';
import { LRUCache } from 'lru-cache';
import { withholding } from '../../query/token-access.ts';

/** Fields that are hidden: names that apply to all entities, or to one. */
export interface Mask {
  readonly names: ReadonlySet<string>;
  /** By entity. */
  readonly ofEntity: ReadonlyMap<string, ReadonlySet<string>>;
  readonly all: readonly string[];
}

/** What is derived from a mask is large, and many calls have the same one. */
const masks = new LRUCache<string, Mask>({ max: 50 });

/**
 * Parses fields such as `nationalIdNumber` and `Employee.birthDate`. A field of a view is hidden in its members as well, and
 * the other way around. The same fields have the same mask.
 */
export function maskOf(fields: readonly string[]): Mask {
  const key = JSON.stringify(fields);
  const mask = masks.get(key) ?? parsedMask(fields);
  masks.set(key, mask);
  return mask;
}

function parsedMask(fields: readonly string[]): Mask {
  const ofEntity = new Map<string, Set<string>>();
  const add = (entity: string, names: Iterable<string>) =>
    ofEntity.set(entity, new Set([...(ofEntity.get(entity) ?? []), ...names]));
  for (const [entity = '', name = ''] of fields.filter(isOfEntity).map((field) => field.split('.', 2)))
    add(entity, [name]);
  // Views first, because other views may have the same members.
  for (const { view, member } of memberships) add(member, ofEntity.get(view) ?? []);
  for (const { view, member } of memberships) add(view, ofEntity.get(member) ?? []);
  return { names: new Set(fields.filter((field) => !isOfEntity(field))), ofEntity, all: fields };
}

function isOfEntity(field: string): boolean {
  return field.includes('.');
}

const memberships = Object.values(entities).flatMap(({ name, view = [] }: Entity) =>
  view.map(({ entity }) => ({ view: name, member: entity })),
);

/** The fields that exist in no entity. A typing error in a mask would reveal what should be hidden. */
export function unknownFields(fields: readonly string[]): string[] {
  const known: readonly Entity[] = Object.values(entities);
  return fields.filter((field) => {
    const [first = '', name] = field.split('.', 2);
    const within = name === undefined ? known : known.filter((entity) => entity.name === first);
    return !within.some((entity) => entity.fields.some((each) => each.name === (name ?? first)));
  });
}

const accesses = new WeakMap<Mask, TokenAccess>();

/** What remains visible, in the form of the limits of a token; null means everything. Even required fields are left out. */
export function accessOf(mask: Mask): TokenAccess | null {
  if (mask.all.length === 0) return null;
  const made =
    accesses.get(mask) ?? withholding(Object.values(entities).map((entity: Entity) => visibleFields(entity, mask)));
  accesses.set(mask, made);
  return made;
}

/** The fields of an entity that are not masked. */
export function visibleFields({ name, fields }: Entity, mask: Mask): TokenAccess[number] {
  const shown = fields.map((field) => field.name).filter((field) => !isMasked(mask, name, field));
  return shown.length === fields.length ? { entity: name } : { entity: name, fields: shown };
}

/**
 * Whether a field of an entity is hidden. A label consists of texts, dates and references of its record, depending on the platform,
 * so it is hidden together with any of them, or with the names of the records that it refers to: the label of an address can begin
 * with the name of the vendor.
 */
export function isMasked(mask: Mask, entity: string, field: string): boolean {
  const isHidden = (name: string, of = entity) => mask.names.has(name) || (mask.ofEntity.get(of)?.has(name) ?? false);
  if (isHidden(field)) return true;
  if (field !== LABEL) return false;
  const { parts, named } = labelParts(entity);
  return isHidden('name') || parts.some((name) => isHidden(name)) || named.some((target) => isHidden('name', target));
}

/** The label of a record. */
export const LABEL = '_displayValue';

/** Kinds of fields of which no label consists. */
const NO_PARTS: ReadonlySet<FieldKind> = new Set<FieldKind>([
  'boolean',
  'number',
  'object',
  'objects',
  'custom',
  'relations',
]);

const labels = new Map<string, LabelParts>();

/** What a label of an entity may consist of: fields with these names, and names of records of other entities. */
interface LabelParts {
  readonly parts: readonly string[];
  readonly named: readonly string[];
}

function labelParts(entity: string): LabelParts {
  const known = labels.get(entity);
  if (known) return known;
  const fields = entityOf(entity)?.fields.filter(({ kind }) => !NO_PARTS.has(kind)) ?? [];
  const parts = fields.map(({ name }) => name).filter((name) => name !== LABEL);
  const made = { parts, named: fields.flatMap(({ targets = [] }) => targets) };
  labels.set(entity, made);
  return made;
}
