import type { Entity, Field } from './entity.ts';

/** Completes an entity by its fields under their names. The map has no prototype: a name from outside finds fields only. */
export function defineEntity(data: Omit<Entity, 'field'>): Entity {
  const field: Record<string, Field> = Object.create(null);
  for (const each of data.fields) field[each.name] = each;
  return { ...data, field };
}
