import { eachOperation } from './operations.ts';
import { go, type Place } from './place.ts';
import type { Rule } from './redocly.ts';
import { propertiesOf } from './schema.ts';

const FORM = '`availableActions` must be a read-only list of strings';

/**
 * An entity whose state is changed by actions lists in `availableActions` the actions that the current state allows; other
 * entities do not have it. A view inherits it from its members.
 */
export const available: Rule = () => {
  const moved = new Set<string>();
  const entities = new Map<string, () => void>();
  const visitor = eachOperation(({ entity, shape, at, report }, context) => {
    if (!entity || 'x-view' in entity.schema.node) return;
    if (shape === 'action' && at.node['x-transition'] !== undefined) moved.add(entity.name);
    if (entities.has(entity.name)) return;
    entities.set(entity.name, () => {
      const property = go(context, propertiesOf(context, entity.schema).get('availableActions'));
      const problem = problemOf(moved.has(entity.name), property);
      if (problem) report(`${entity.name}: ${problem}.`);
    });
  });
  return {
    ...visitor,
    Paths(paths, context) {
      visitor.Paths?.(paths, context);
      for (const check of entities.values()) check();
    },
  };
};

function problemOf(isMoved: boolean, property: Place | undefined): string | undefined {
  if (!property) return isMoved ? 'its actions have `x-transition`; declare `availableActions`' : undefined;
  if (!isMoved) return 'no action has `x-transition`; remove `availableActions`';
  const { type, readOnly, items } = property.node;
  const isTexts = type === 'array' && (items as { type?: unknown } | undefined)?.type === 'string';
  return isTexts && readOnly === true ? undefined : FORM;
}
