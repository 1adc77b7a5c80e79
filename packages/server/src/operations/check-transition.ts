import { allowedActions, type Entity, ServiceError } from '@unified/contract';
import type { KnownRecord } from './records.ts';

/**
 * Refuses an action that the record's `statusCategory` does not allow. Throws `SERVICE_INVALID_TRANSITION` with the
 * category and the actions that are allowed. A record without a category is left to the connected system to judge.
 */
export function checkTransition(entity: Entity, name: string, { statusCategory }: KnownRecord): void {
  const allowed = allowedActions(entity, statusCategory).map((action) => action.name);
  if (allowed.includes(name)) return;
  const message = `${entity.name} is ${statusCategory}, which does not allow "${name}". Use one of the allowed actions.`;
  throw new ServiceError('SERVICE_INVALID_TRANSITION', message, {
    details: [{ statusCategory, allowedActions: allowed }],
  });
}
