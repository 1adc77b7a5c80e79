import { type Entity, entityOf, ServiceError } from '@unified/contract';

/**
 * The entity that a parameter names. Throws `SERVICE_INVALID_PARAMETER` when there is none of that name, or when it is a
 * view: what happens to a record is kept under the entity that has it.
 */
export function knownEntity(name: string): Entity {
  const entity = entityOf(name);
  if (entity && !entity.view) return entity;
  const message = `There is no entity "${name}". Name it as references do in rel, for example PurchaseOrder.`;
  throw new ServiceError('SERVICE_INVALID_PARAMETER', message, { details: [{ path: 'query/entity', message }] });
}
