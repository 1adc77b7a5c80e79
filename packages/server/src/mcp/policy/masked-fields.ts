import { type Entity, entities, entityOf, type Field, type FieldKind } from '@unified/contract';
import type { TokenAccess } from '@unified/store';
import { withholding } from '../../query/token-access.ts';

/** Fields that are hidden: names that apply to all entities, or to one. */
export interface Mask {
  readonly names: ReadonlySet<string>;
  /** By entity. */
  readonly ofEntity: ReadonlyMap<string, ReadonlySet<string>>;
  readonly all: readonly string[];
}

/**
 * Parses fields such as `nationalIdNumber` and `Employee.birthDate`. A field of a view is hidden in its members as well, and
 * the other way around.
 */
export function maskOf(fields: readonly string[]): Mask {
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
 * so it is hidden together with any of them.
 */
function isMasked({ names, ofEntity }: Mask, entity: string, field: string): boolean {
  const isHidden = (name: string) => names.has(name) || (ofEntity.get(entity)?.has(name) ?? false);
  return isHidden(field) || (field === LABEL && (isHidden('name') || (labelParts.get(entity) ?? []).some(isHidden)));
}

const LABEL = '_displayValue';

/** Kinds of fields of which no label consists. */
const NO_PARTS: ReadonlySet<FieldKind> = new Set<FieldKind>([
  'boolean',
  'number',
  'object',
  'objects',
  'custom',
  'relations',
]);

/** Names of the fields that a label of an entity may consist of. */
const labelParts: ReadonlyMap<string, readonly string[]> = new Map(
  Object.values(entities).map(({ name, fields }: Entity) => [
    name,
    fields.filter(({ kind, name: field }) => !NO_PARTS.has(kind) && field !== LABEL).map((field) => field.name),
  ]),
);

/** A position in a result or in arguments: the entities that its properties may belong to, and their fields. */
interface MaskedPlace {
  readonly entities: readonly string[];
  readonly fields: readonly Field[];
}

/** The properties of records. Those of a view also have the fields of its members. */
function recordsOf(names: readonly string[]): MaskedPlace {
  const own = names.flatMap((name) => entityOf(name) ?? []);
  const members = own.flatMap(({ view = [] }) => view.flatMap(({ entity }) => entityOf(entity) ?? []));
  return { entities: names, fields: [...own, ...members].flatMap(({ fields }) => fields) };
}

/** Where a property leads: to records, into an object or, for one that is not a field, such as `data`, to the same place. */
function within(place: MaskedPlace, name: string): MaskedPlace {
  const found = place.fields.filter((field) => field.name === name);
  const targets = found.flatMap((field) => field.targets ?? []);
  const inner = found.flatMap((field) => field.fields ?? []);
  if (targets.length === 0 && inner.length === 0) return place;
  const records = recordsOf(targets);
  const owners = inner.length > 0 ? place.entities : [];
  return { entities: [...records.entities, ...owners], fields: [...records.fields, ...inner] };
}

function isMaskedAt(mask: Mask, { entities: names }: MaskedPlace, field: string): boolean {
  return isMasked(mask, '', field) || names.some((name) => isMasked(mask, name, field));
}

/** A result without the values of masked fields, whatever returned them. `entity` is the entity of its records. */
export function masked(value: unknown, mask: Mask, entity: string): unknown {
  return mask.all.length === 0 ? value : shownAt(recordsOf([entity]), value, mask);
}

function shownAt(place: MaskedPlace, value: unknown, mask: Mask): unknown {
  if (Array.isArray(value)) return value.map((item) => shownAt(place, item, mask));
  if (typeof value !== 'object' || value === null) return value;
  const doc = value as Readonly<Record<string, unknown>>;
  const own = typeof doc.rel === 'string' ? recordsOf([doc.rel]) : place;
  const shown = Object.entries(doc).filter(([name]) => !isMaskedAt(mask, own, name));
  return Object.fromEntries(shown.map(([name, item]) => [name, shownAt(within(own, name), item, mask)]));
}

/** A masked field that is named in arguments: in a filter, sort order, selection or body; undefined if there is none. */
export function maskedArgument(value: unknown, mask: Mask, entity: string): string | undefined {
  if (mask.all.length === 0) return undefined;
  return find(recordsOf([entity]), value, mask);
}

/** Searches the keys of an object, such as `name:contains` and `vendor.code`, and the texts that list fields. */
function find(place: MaskedPlace, value: unknown, mask: Mask): string | undefined {
  if (Array.isArray(value)) return firstOf(value, (item) => find(place, item, mask));
  if (typeof value !== 'object' || value === null) return undefined;
  return firstOf(Object.entries(value), ([name, item]) => {
    if (name === 'filter' && typeof item === 'string') return TEXT_FILTER;
    const { word, end } = follow(place, name, mask);
    const listed = LISTS.has(name) ? [item].flat(Number.POSITIVE_INFINITY).join(',').split(',') : [];
    return word ?? firstOf(listed, (path) => follow(place, path, mask).word) ?? find(end, item, mask);
  });
}

/** Follows the words of a path such as `vendor.code`. Returns the masked one among them, and where the path ends. */
function follow(start: MaskedPlace, path: string, mask: Mask): { readonly word?: string; readonly end: MaskedPlace } {
  let end = start;
  for (const word of path.split(/[^\w]+/)) {
    if (isMaskedAt(mask, end, word)) return { word, end };
    end = within(end, word);
  }
  return { end };
}

function firstOf<Item>(items: readonly Item[], search: (item: Item) => string | undefined): string | undefined {
  for (const item of items) {
    const found = search(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Represents the fields of a filter that is sent as one text: nothing else checks the names in it before it is parsed. */
const TEXT_FILTER = 'in a filter that is a text instead of an object';

/** Arguments whose values are field names. */
const LISTS: ReadonlySet<string> = new Set(['fields', 'sort', 'expand', 'extend']);
