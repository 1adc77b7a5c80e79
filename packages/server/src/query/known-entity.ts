import { type Entity, entities, entityOf, type ServiceError } from '@unified/contract';
import { quoted, requestError, type Suggestion, suggestion } from '../request-error.ts';

/**
 * The entity that a parameter names. Throws `SERVICE_INVALID_PARAMETER` if there is none of that name, or if it is a
 * view: writes and changes are stored by the entity of the record.
 */
export function knownEntity(name: string): Entity {
  const entity = entityWithRecords(name);
  if (entity) return entity;
  throw unknownEntity('SERVICE_INVALID_PARAMETER', 'query/entity', name);
}

/** The entity with this name, if it has records; a view has none. */
export function entityWithRecords(name: string): Entity | undefined {
  const entity = entityOf(name);
  return entity?.view ? undefined : entity;
}

/** The error for a name that is not an entity with records, with its path in the request. */
export function unknownEntity(
  code: 'SERVICE_INVALID_PARAMETER' | 'SERVICE_INVALID_BODY',
  place: string,
  name: string,
): ServiceError {
  const { message, detail } = noSuchEntity(name);
  return requestError(code, place, message, detail);
}

/** Message and details for such a name. */
export function noSuchEntity(name: string): { message: string; detail: Suggestion['detail'] } {
  const known = Object.keys(entities).filter((each) => entityWithRecords(each));
  const { advice, detail } = suggestion(name, known);
  const otherwise = ' Use the name as in the rel of references, for example PurchaseOrder.';
  return { message: `There is no entity ${quoted(name)}.${advice || otherwise}`, detail };
}
