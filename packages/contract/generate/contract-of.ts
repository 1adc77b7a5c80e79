import { defineEntity } from '../src/define-entity.ts';
import type { Entity } from '../src/entity.ts';
import type { Operation } from '../src/operation.ts';
import { findEntities } from './entities.ts';
import type { Document } from './openapi.ts';
import { findOperations } from './operations.ts';
import { type Shard, shardsOf } from './validators.ts';

/** For tests: what is generated from a document, in the form that servers and stores accept. */
export function contractOf(document: Document): {
  readonly operations: readonly Operation[];
  readonly entities: Readonly<Record<string, Entity>>;
  readonly shards: Readonly<Record<string, Shard>>;
} {
  const found = findOperations(document);
  const entities = findEntities(document, found).map((entity) => [entity.name, defineEntity(entity)]);
  return {
    operations: found.map(({ operation }) => operation),
    entities: Object.fromEntries(entities),
    shards: shardsOf(document, found),
  };
}
