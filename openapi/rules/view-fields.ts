import { type Entity, entitiesOf, isNode } from './place.ts';
import type { Context, Rule } from './redocly.ts';
import { propertiesOf } from './schema.ts';

/**
 * A view of a part of an entity has only the fields that its records use: fewer than the entity, and not the same as another
 * view of it. Records that differ only in one value need a filter, not a view.
 */
export const viewFields: Rule = () => ({
  Paths(paths, context) {
    const entities = new Map(
      [...entitiesOf(context, { node: paths, location: context.location }).values()].map((each) => [each.name, each]),
    );
    const views = [...entities.values()].flatMap((view) => {
      const name = memberOf(view);
      return name === undefined ? [] : [{ view, name, fields: fieldsOf(context, view) }];
    });
    for (const [index, { view, name, fields }] of views.entries()) {
      const same = views.slice(0, index).find((other) => other.name === name && other.fields === fields);
      const message = same
        ? `has the same fields as \`${same.view.name}\`; list those that its records use`
        : fieldsOf(context, entities.get(name)) === fields &&
          `has every field of \`${name}\`; list those that its records use`;
      if (message) context.report({ message: `${view.name}: ${message}.`, location: view.schema.location });
    }
  },
});

/** The entity that a view contains a part of; undefined for other entities. */
function memberOf({ schema }: Entity): string | undefined {
  const members = schema.node['x-view'];
  if (!Array.isArray(members) || members.length !== 1) return undefined;
  const [member] = members;
  return isNode(member) && typeof member.entity === 'string' ? member.entity : undefined;
}

/** Names of the fields of an entity, in one order. */
function fieldsOf(context: Context, entity: Entity | undefined): string {
  return [...propertiesOf(context, entity?.schema).keys()].sort().join();
}
