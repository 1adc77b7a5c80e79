import { allowedActions, type Entity, ServiceError } from '@unified/contract';
import type { KnownRecord } from './records.ts';

/**
 * Refuses an action that the record's `statusCategory` does not allow. Throws `SERVICE_INVALID_TRANSITION` with the
 * category and the actions that it allows and the connected system carries out (`capable`). A record without a category
 * is left to the connected system to judge.
 */
export function checkTransition(
  entity: Entity,
  name: string,
  { statusCategory }: KnownRecord,
  capable: readonly string[],
): void {
  const allowed = allowedActions(entity, statusCategory).map((action) => action.name);
  if (allowed.includes(name)) return;
  const possible = allowed.filter((each) => capable.includes(each));
  const advice = possible.length > 0 ? `Use one of: ${possible.join(', ')}.` : 'No action is possible in this state.';
  const message = `The ${entity.name} is ${statusCategory}, which does not allow "${name}". ${advice}`;
  throw new ServiceError('SERVICE_INVALID_TRANSITION', message, {
    details: [{ statusCategory, allowedActions: possible }],
  });
}
