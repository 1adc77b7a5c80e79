import { AVAILABLE_ACTIONS, allowedActions, type Entity } from '@unified/contract';
import type { Row } from '../driver.ts';
import type { MappingDefinition } from './definition.ts';

/**
 * Adds to the values of a record the actions that its `statusCategory` allows and the connected system supports; none if it is
 * deleted. Null for an entity without the field `availableActions`.
 */
export function compileAvailableActions(actions: MappingDefinition['actions'], entity: Entity | undefined) {
  if (!entity?.field[AVAILABLE_ACTIONS]) return null;
  const known = new Map<unknown, readonly string[]>();
  return (values: Row, isDeleted: boolean): void => {
    const category = typeof values.statusCategory === 'string' ? values.statusCategory : null;
    const names = known.get(category) ?? namesOf(entity, actions ?? {}, category);
    known.set(category, names);
    values[AVAILABLE_ACTIONS] = isDeleted ? [] : names;
  };
}

/** The data that the actions of a record depend on in addition to the row, for the hash of the mapping. */
export function transitionsOf(entity: Entity | undefined): unknown {
  if (!entity?.field[AVAILABLE_ACTIONS]) return null;
  return entity.actions.map(({ name, from }) => [name, from]);
}

function namesOf(entity: Entity, actions: object, category: string | null): readonly string[] {
  return allowedActions(entity, category).flatMap(({ name }) => (Object.hasOwn(actions, name) ? [name] : []));
}
