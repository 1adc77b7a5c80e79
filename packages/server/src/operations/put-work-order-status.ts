import { entities } from '@unified/contract';
import type { DataContext } from './context.ts';
import { type ActionRequest, runNamedAction } from './run-action.ts';

/** Legacy form of the action `set-status`. */
export function putWorkOrderStatus(request: ActionRequest, context: DataContext) {
  return runNamedAction(request, context, entities.WorkOrder, 'set-status');
}
