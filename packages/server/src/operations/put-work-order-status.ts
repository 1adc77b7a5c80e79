import { entities } from '@unified/contract';
import type { Context } from './context.ts';
import { type ActionRequest, runNamedAction } from './run-action.ts';

/** Legacy form of the action `set-status`. */
export function putWorkOrderStatus(request: ActionRequest, context: Context) {
  return runNamedAction(request, context, entities.WorkOrder, 'set-status');
}
