import { entityOf, type Field } from '@unified/contract';
import { isMasked, LABEL, type Mask } from './mask.ts';

/** A position in a result or in arguments: the entities that its properties may belong to, and their fields. */
interface MaskedPlace {
  readonly entities: readonly string[];
  /** The fields by their names, of which several entities may have the same. */
  readonly fields: ReadonlyMap<string, readonly Field[]>;
  /** Where fields that are objects lead to, as far as it is known. */
  readonly objects: Map<string, MaskedPlace>;
  /** Names of the fields that a mask hides here, as far as they are known. */
  readonly hidden: WeakMap<Mask, ReadonlySet<string>>;
}

/** The properties of records, by the names of their entities. Only the document determines which of them can occur together. */
const recordPlaces = new Map<string, MaskedPlace>();

function placeOf(names: readonly string[], fields: readonly Field[]): MaskedPlace {
  const byName = Map.groupBy(fields, ({ name }) => name);
  return { entities: names, fields: byName, objects: new Map(), hidden: new WeakMap() };
}

/** The properties of records of these entities; none are known of a name that is not one. */
function recordsOf(names: readonly string[]): MaskedPlace {
  const key = names.join(' ');
  const place = recordPlaces.get(key) ?? placeOf(names, names.flatMap(fieldsOf));
  if (names.every((name) => entityOf(name))) recordPlaces.set(key, place);
  return place;
}

/** Records of a view also have the fields of its members. */
function fieldsOf(name: string): readonly Field[] {
  const entity = entityOf(name);
  const members = (entity?.view ?? []).flatMap((member) => entityOf(member.entity)?.fields ?? []);
  return [...(entity?.fields ?? []), ...members];
}

/** Where a property leads: to records, into an object or, for one that is not a field, such as `data`, to the same place. */
function within(place: MaskedPlace, name: string): MaskedPlace {
  const known = place.objects.get(name);
  if (known) return known;
  const found = place.fields.get(name) ?? [];
  const targets = found.flatMap((field) => field.targets ?? []);
  const inner = found.flatMap((field) => field.fields ?? []);
  if (inner.length === 0) return targets.length === 0 ? place : recordsOf([...new Set(targets)]);
  const made = placeOf([...targets, ...place.entities], [...targets.flatMap(fieldsOf), ...inner]);
  // Others could be nested without end.
  if (targets.length === 0) place.objects.set(name, made);
  return made;
}

function isMaskedAt(mask: Mask, place: MaskedPlace, name: string): boolean {
  const isKnown = name === LABEL || place.fields.has(name);
  return isKnown ? hiddenAt(mask, place).has(name) : isNameMasked(mask, place, name);
}

function isNameMasked(mask: Mask, { entities: names }: MaskedPlace, name: string): boolean {
  return isMasked(mask, '', name) || names.some((entity) => isMasked(mask, entity, name));
}

/** Names of the fields that a mask hides at a place. */
function hiddenAt(mask: Mask, place: MaskedPlace): ReadonlySet<string> {
  const found =
    place.hidden.get(mask) ??
    new Set([LABEL, ...place.fields.keys()].filter((name) => isNameMasked(mask, place, name)));
  place.hidden.set(mask, found);
  return found;
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

/**
 * The words, in quotes, of which the JSON of records of an entity contains at least one if it contains anything that a mask hides,
 * unless references are expanded. It must not contain escaped words.
 */
export function maskedWords(mask: Mask, entity: string): readonly string[] {
  const found = words.get(mask) ?? new Map<string, readonly string[]>();
  words.set(mask, found);
  const own = found.get(entity) ?? [...new Set([...mask.names, ...wordsAt(mask, recordsOf([entity]))])];
  if (entityOf(entity)) found.set(entity, own);
  return own;
}

const words = new WeakMap<Mask, Map<string, readonly string[]>>();

/** The names of hidden fields, and those of entities of which references show something hidden. */
function wordsAt(mask: Mask, place: MaskedPlace): string[] {
  const fields = [...place.fields.values()].flat();
  const objects = [...place.fields].filter(([, found]) => found.some((field) => field.fields)).map(([name]) => name);
  const targets = [...new Set(fields.flatMap((field) => field.targets ?? []))];
  return [
    ...hiddenAt(mask, place),
    ...targets.filter((target) => IN_REFERENCES.some((name) => isMasked(mask, target, name))),
    ...objects.flatMap((name) => wordsAt(mask, within(place, name))),
  ];
}

/** The fields of a record that references to it contain. */
const IN_REFERENCES = ['id', '_idValue', LABEL];

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
