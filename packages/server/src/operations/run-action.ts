import { allowedActions, type Entity, entities, ServiceError, spokenName } from '@unified/contract';
import { entityOfOperation, entityOfRecord, type KnownRecord, writableRecord } from './addressed-entity.ts';
import type { DataContext } from './context.ts';
import { accepted, queueWrite, type WriteParameters } from './queue-write.ts';
import { expectedVersions } from './tagged.ts';
import { checkActionReferences, narrowedEntity } from './token-limits.ts';
import { throwFailure } from './write-response.ts';

/** A request for an action; the body of some actions is optional. */
interface ActionRequest extends WriteParameters {
  readonly path: { readonly id: string };
  readonly body: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Handles any action: returns 202 with the write record immediately, or 200 with it if an earlier request had the same key, or
 * if the client waited and the action succeeded.
 */
export function runAction(request: ActionRequest, context: DataContext) {
  return runNamedAction(request, context, entityOfOperation(context), context.operation.action ?? '');
}

/** The same for an operation whose address does not name the action. */
async function runNamedAction(request: ActionRequest, context: DataContext, addressed: Entity, action: string) {
  const targetId = request.path.id;
  const { entity } = await entityOfRecord(context.scope, addressed, targetId);
  const expected = await expectedVersions(context, addressed, targetId);
  const input = request.body ?? {};
  checkActionReferences(entity, action, context.narrow, input);
  const intent = { entity: entity.name, op: 'action', action, targetId, input, ...expected } as const;
  const outcome = await queueWrite(context, request, intent, 0, async ({ actions }) => {
    checkTransition(
      entity,
      action,
      await writableRecord(context.scope, addressed, targetId, expected.ifMatch),
      actions,
    );
  });
  if (outcome.replayed) return { status: 200, body: outcome.write, headers: outcome.headers } as const;
  if (outcome.asynchronous) return accepted(outcome);
  throwFailure(outcome.write);
  if (outcome.write.status === 'succeeded')
    return { status: 200, body: outcome.write, headers: outcome.headers } as const;
  return accepted(outcome);
}

/**
 * Refuses an action that the record's `statusCategory` does not allow. Throws `SERVICE_INVALID_TRANSITION` with the category,
 * and with the actions that are allowed in it and supported by the connected system (`capable`). For a record without a
 * category, the connected system decides.
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
  const message = `The ${spokenName(entity.name)} is ${statusCategory}, which does not allow "${name}". ${advice}`;
  throw new ServiceError('SERVICE_INVALID_TRANSITION', message, {
    details: [{ statusCategory, allowedActions: possible }],
  });
}

/** Legacy form of the action `set-status`. */
export function putWorkOrderStatus(request: ActionRequest, context: DataContext) {
  return runNamedAction(request, context, narrowedEntity(entities.WorkOrder, context.narrow), 'set-status');
}
