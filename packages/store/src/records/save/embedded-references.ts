import type { Entity, Field, MappedRecord, Reference } from '@unified/contract';
import { perEntity } from '../../tables/derive-table.ts';

type Row = Readonly<Record<string, unknown>>;

/** A field whose objects point to other records, and the properties that contain the references. */
export interface Embedding {
  readonly field: Field;
  readonly relations: readonly Field[];
}

/** The fields of an entity whose objects contain references. Most entities have none. */
export const embeddings = perEntity((entity): readonly Embedding[] =>
  entity.fields.flatMap((field) => {
    const relations = (field.fields ?? []).filter(({ kind }) => kind === 'relation' || kind === 'relations');
    return relations.length > 0 ? [{ field, relations }] : [];
  }),
);

/** All references within the objects of a mapped record. */
export function embeddedReferences(entity: Entity, { values }: MappedRecord): Reference[] {
  return embeddings(entity).flatMap((embedding) => heldBy(embedding, values[embedding.field.name]) as Reference[]);
}

/**
 * The value of a field with each reference in its objects replaced by the result of `show`. A null result is left out of lists.
 */
export function showObjects(
  { relations }: Embedding,
  value: unknown,
  show: (reference: Reference) => object | null,
): unknown {
  const showOne = (object: Row): Row => {
    const shown: Record<string, unknown> = { ...object };
    for (const { name } of relations) {
      const held = object[name];
      if (Array.isArray(held)) shown[name] = held.flatMap((each: Reference) => show(each) ?? []);
      else if (isObject(held)) shown[name] = show(held as unknown as Reference);
    }
    return shown;
  };
  if (Array.isArray(value)) return value.map(showOne);
  return isObject(value) ? showOne(value) : value;
}

/** Ids of the records that the objects of a stored document point to. */
export function embeddedIds(embedding: Embedding, doc: string): string[] {
  const links = heldBy(embedding, JSON.parse(doc)[embedding.field.name]);
  return links.flatMap((link) => (isObject(link) && typeof link.id === 'string' ? [link.id] : []));
}

/** The references within a list of objects or a single object. Lists of references are flattened. */
function heldBy({ relations }: Embedding, value: unknown): unknown[] {
  const objects = (Array.isArray(value) ? value : [value]).filter(isObject);
  return objects.flatMap((object) => relations.flatMap(({ name }) => object[name] ?? []));
}

function isObject(value: unknown): value is Row {
  return typeof value === 'object' && value !== null;
}
