import { type Entity, entitiesOf, isNode } from './place.ts';
import type { Node, Rule } from './redocly.ts';

const FORM = '`x-view` must be a list of `{ entity: <Entity>, where: { <field>: <value> } }`';

/**
 * `x-view: [{ entity, where }]` names entities that have records, and the field values of the records that the view contains.
 */
export const view: Rule = () => ({
  Paths(paths, context) {
    const entities = entitiesOf(context, { node: paths, location: context.location });
    const byName = new Map([...entities.values()].map((entity) => [entity.name, entity]));
    for (const { name, schema } of byName.values()) {
      const said = schema.node['x-view'];
      if (said === undefined) continue;
      const location = schema.location.child(['x-view']);
      for (const problem of problemsOf(said, byName)) context.report({ message: `${name}: ${problem}.`, location });
    }
  },
});

function problemsOf(said: unknown, entities: ReadonlyMap<string, Entity>): readonly string[] {
  if (!Array.isArray(said) || said.length === 0) return [FORM];
  return said.flatMap((member) => {
    if (!isNode(member) || !isMember(member)) return [FORM];
    const found = entities.get(String(member.entity));
    if (!found) return [`\`${String(member.entity)}\` is not an entity`];
    return 'x-view' in found.schema.node ? [`\`${found.name}\` is itself a view`] : [];
  });
}

function isMember({ entity, where, ...others }: Node): boolean {
  if (typeof entity !== 'string' || !isNode(where) || Object.keys(others).length > 0) return false;
  const values = Object.values(where);
  return values.length > 0 && values.every((value) => typeof value === 'string' || typeof value === 'boolean');
}
