import type { Platform } from '@unified/connectors';
import type { Entity } from '@unified/contract';

/** What can be done to the records of an entity. */
export type CapableOf = 'list' | 'get' | 'create' | 'update' | 'replace' | 'delete';

/** What a connected system can do with one kind of record. */
export interface Capability {
  readonly entity: string;
  readonly collection: string;
  readonly operations: CapableOf[];
  readonly actions: string[];
  readonly readFields: string[];
  readonly writeFields: string[];
  readonly requiredFields: string[];
}

const WRITES = ['create', 'update', 'replace', 'delete'] as const;

/** What the systems of a platform can do with an entity; a system that does not have it can do nothing. */
export function capabilityOf(platform: Platform, entity: Entity): Capability {
  const mapping = platform.mappings[entity.name];
  const writes = WRITES.filter((operation) => mapping?.writes.has(operation));
  return {
    entity: entity.name,
    collection: `/${entity.collection}`,
    operations: mapping ? ['list', 'get', ...writes] : [],
    actions: entity.actions.map(({ name }) => name).filter((name) => mapping?.actions[name]),
    readFields: [...(mapping?.fields ?? [])],
    writeFields: writes.length > 0 ? [...(mapping?.writable ?? [])] : [],
    requiredFields: writes.length > 0 ? [...entity.requiredOnCreate] : [],
  };
}
