import type { Entity } from '@unified/contract';

/** Caches the result of `derive` per entity: it is needed for every record. */
export function perEntity<T extends NonNullable<unknown>>(derive: (entity: Entity) => T): (entity: Entity) => T {
  const known = new WeakMap<Entity, T>();
  return (entity) => {
    let derived = known.get(entity);
    if (derived === undefined) {
      derived = derive(entity);
      known.set(entity, derived);
    }
    return derived;
  };
}
