import type { Entity, Field } from './entity.ts';

/** Adds a map of its fields by name to an entity. The map has no prototype, so a name from a request finds only fields. */
export function defineEntity(data: Omit<Entity, 'field'>): Entity {
  const field: Record<string, Field> = Object.create(null);
  for (const each of data.fields) field[each.name] = each;
  return { ...data, field };
}
