import { type EntityName, entities } from '../generated/entities.ts';
import type { Entity } from './entity.ts';

export { type EntityName, entities };

/** The entity with this name, or undefined. Safe to call with names from requests. */
export function entityOf(name: string): Entity | undefined {
  return Object.hasOwn(entities, name) ? entities[name as EntityName] : undefined;
}
