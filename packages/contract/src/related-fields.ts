import { entityOf } from './entities.ts';
import type { Entity, Field } from './entity.ts';

/** Fields by which users identify a record. All have an index, except `number`, which only short lists have. */
const IDENTIFYING = ['id', 'code', 'name', 'number', '_idValue', '_displayValue'];

/** A field of the records that a relation points to, and the entities among its targets that have it. */
export interface RelatedField {
  readonly field: Field;
  readonly targets: readonly Entity[];
}

/**
 * The fields of a relation's targets by which lists can be filtered, by name; none if the field is not a relation. `narrow`
 * returns a target as far as the request may use it, or undefined.
 */
export function relatedFields(
  { kind, targets = [] }: Field,
  narrow: (entity: Entity) => Entity | undefined = (entity) => entity,
): ReadonlyMap<string, RelatedField> {
  if (kind !== 'relation' && kind !== 'relations') return new Map();
  const known = targets.flatMap((name) => entityOf(name) ?? []);
  const entities = known.flatMap((entity) => narrow(entity) ?? []);
  return new Map(
    IDENTIFYING.flatMap((name) => {
      const having = entities.filter(({ field }) => Object.hasOwn(field, name));
      const field = having[0]?.field[name];
      return field ? [[name, { field, targets: having }] as const] : [];
    }),
  );
}
