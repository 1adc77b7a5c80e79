import type { Entity } from '@unified/contract';
import { checkTransition } from './check-transition.ts';
import type { DataContext } from './context.ts';
import { entityOfOperation, writableRecord } from './records.ts';
import { entityOfRecord } from './stored-entity.ts';
import { accepted, submitWrite, type WriteParameters } from './submit-write.ts';
import { throwFailure } from './write-failure.ts';

/** A request for an action; an action whose body is optional may come without one. */
export interface ActionRequest extends WriteParameters {
  readonly path: { readonly id: string };
  readonly body: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Answers any action: 202 with the write record at once, or 200 with it when an earlier request had the same key, or
 * when the client asked to wait and the action is done.
 */
export function runAction(request: ActionRequest, context: DataContext) {
  return runNamedAction(request, context, entityOfOperation(context), context.operation.action ?? '');
}

/** The same for an operation whose address does not name the action. */
export async function runNamedAction(request: ActionRequest, context: DataContext, addressed: Entity, action: string) {
  const targetId = request.path.id;
  const { entity } = await entityOfRecord(context.scope, addressed, targetId);
  const intent = { entity: entity.name, op: 'action', action, targetId, input: request.body ?? {} } as const;
  const outcome = await submitWrite(context, request, intent, 0, async ({ actions }) => {
    checkTransition(entity, action, await writableRecord(context.scope, addressed, targetId), actions);
  });
  if (outcome.replayed) return { status: 200, body: outcome.write, headers: outcome.headers } as const;
  if (outcome.asynchronous) return accepted(outcome);
  throwFailure(outcome.write);
  if (outcome.write.status === 'succeeded')
    return { status: 200, body: outcome.write, headers: outcome.headers } as const;
  return accepted(outcome);
}
