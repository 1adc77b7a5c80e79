import type { Action, Entity } from './entity.ts';

/** Field with the names of the actions that a record allows now. */
export const AVAILABLE_ACTIONS = 'availableActions';

/**
 * Actions that a record in this state allows, in the order of the document. A record without a state allows all of
 * them.
 */
export function allowedActions(entity: Entity, statusCategory: string | null | undefined): readonly Action[] {
  if (statusCategory === null || statusCategory === undefined) return entity.actions;
  return entity.actions.filter(({ from }) => from?.includes(statusCategory) ?? true);
}
