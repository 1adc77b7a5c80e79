import { type Entity, entities } from '@unified/contract';
import type { TokenAccess } from '@unified/store';

/** Fields that are hidden: names, each of all entities or of one. */
export interface Mask {
  readonly names: ReadonlySet<string>;
  /** By entity. */
  readonly ofEntity: ReadonlyMap<string, ReadonlySet<string>>;
  readonly all: readonly string[];
}

/** Parses fields such as `nationalIdNumber` and `Employee.birthDate`. */
export function maskOf(fields: readonly string[]): Mask {
  const pairs = fields.flatMap((field) => (field.includes('.') ? [field.split('.', 2)] : []));
  const grouped = Map.groupBy(pairs, ([entity = '']) => entity);
  return {
    names: new Set(fields.filter((field) => !field.includes('.'))),
    ofEntity: new Map([...grouped].map(([entity, own]) => [entity, new Set(own.map(([, name = '']) => name))])),
    all: fields,
  };
}

/** The fields that do not exist in any entity; a typing error in a mask would show what should be hidden. */
export function unknownFields(fields: readonly string[]): string[] {
  const known: readonly Entity[] = Object.values(entities);
  return fields.filter((field) => {
    const [first = '', name] = field.split('.', 2);
    const within = name === undefined ? known : known.filter((entity) => entity.name === first);
    return !within.some((entity) => entity.fields.some((each) => each.name === (name ?? first)));
  });
}

const accesses = new WeakMap<Mask, TokenAccess>();

/** What remains visible, in the form of the limits of a token; null: everything. Required fields are left to `masked`. */
export function accessOf(mask: Mask): TokenAccess | null {
  if (mask.all.length === 0) return null;
  const made = accesses.get(mask) ?? Object.values(entities).map((entity: Entity) => visible(entity, mask));
  accesses.set(mask, made);
  return made;
}

function visible({ name, fields }: Entity, mask: Mask): TokenAccess[number] {
  const shown = fields.map((field) => field.name).filter((field) => !isMasked(mask, name, field));
  return shown.length === fields.length ? { entity: name } : { entity: name, fields: shown };
}

function isMasked({ names, ofEntity }: Mask, entity: string, field: string): boolean {
  return names.has(field) || (ofEntity.get(entity)?.has(field) ?? false);
}

/** A result without the values of masked fields, whatever returned them. `entity` is that of the records in it. */
export function masked(value: unknown, mask: Mask, entity: string): unknown {
  if (mask.all.length === 0) return value;
  if (Array.isArray(value)) return value.map((item) => masked(item, mask, entity));
  if (typeof value !== 'object' || value === null) return value;
  const doc = value as Readonly<Record<string, unknown>>;
  const own = typeof doc.rel === 'string' ? doc.rel : entity;
  const shown = Object.entries(doc).filter(([name]) => !isMasked(mask, own, name));
  return Object.fromEntries(shown.map(([name, item]) => [name, masked(item, mask, own)]));
}

/** A masked field that arguments name, in a filter, in sorting, in a selection or in a body; undefined if there is none. */
export function maskedArgument(value: unknown, mask: Mask, entity: string): string | undefined {
  if (mask.all.length === 0) return undefined;
  const hidden = new Set([...mask.names, ...(mask.ofEntity.get(entity) ?? [])]);
  return find(value, hidden);
}

/** Words of the keys of an object, such as `name:contains` and `vendor.code`, and of the texts that list fields. */
function find(value: unknown, hidden: ReadonlySet<string>): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, item] of Object.entries(value)) {
    const listed = LISTS.has(name) && typeof item === 'string' ? item.split(/[^\w]+/) : [];
    const word = [...name.split(/[^\w]+/), ...listed].find((each) => hidden.has(each)) ?? find(item, hidden);
    if (word !== undefined) return word;
  }
  return undefined;
}

/** Arguments whose values are names of fields. */
const LISTS: ReadonlySet<string> = new Set(['fields', 'sort', 'expand', 'extend']);
