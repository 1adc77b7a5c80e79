import { type Entity, ServiceError } from '@unified/contract';
import type { KnownRecord } from './records.ts';

/**
 * Refuses an action that the record's `statusCategory` does not allow. Throws `SERVICE_INVALID_TRANSITION` with the
 * category and the actions that are allowed. A record without a category is left to the connected system to judge.
 */
export function checkTransition(entity: Entity, name: string, { statusCategory }: KnownRecord): void {
  if (statusCategory === undefined || statusCategory === null) return;
  const allows = ({ from }: { readonly from?: readonly string[] }) => from?.includes(statusCategory) ?? true;
  const action = entity.actions.find((each) => each.name === name);
  if (!action || allows(action)) return;
  const allowedActions = entity.actions.filter(allows).map((each) => each.name);
  const message = `A ${entity.name} that is ${statusCategory} does not allow "${name}". Use one of the allowed actions.`;
  throw new ServiceError('SERVICE_INVALID_TRANSITION', message, { details: [{ statusCategory, allowedActions }] });
}
