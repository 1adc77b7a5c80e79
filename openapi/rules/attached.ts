import { eachOperation } from './operations.ts';
import { isNode, type Place } from './place.ts';
import type { Node, Rule } from './redocly.ts';
import { propertiesOf } from './schema.ts';

/** The entities that are attached to others, by the name of the list that others have of them. */
const KINDS: Readonly<Record<string, string>> = { attachments: 'Attachment', comments: 'Comment' };

/**
 * An entity that lists attachments or comments is a target of their `subject`: otherwise no client could add one to its
 * records.
 */
export const attached: Rule = () => {
  const lists = new Map<string, { readonly kind: string; readonly entity: string; readonly list: Place }>();
  const subjects = new Map<string, readonly string[]>();
  const visitor = eachOperation(({ entity }, context) => {
    if (!entity || 'x-view' in entity.schema.node) return;
    const properties = propertiesOf(context, entity.schema);
    const subject = properties.get('subject');
    if (subject && Object.values(KINDS).includes(entity.name)) subjects.set(entity.name, targetsOf(subject.node));
    for (const [name, kind] of Object.entries(KINDS)) {
      const list = properties.get(name);
      if (list) lists.set(`${entity.name}.${name}`, { kind, entity: entity.name, list });
    }
  });
  return {
    ...visitor,
    Paths(paths, context) {
      visitor.Paths?.(paths, context);
      for (const { kind, entity, list } of lists.values()) {
        if (subjects.get(kind)?.includes(entity)) continue;
        context.report({
          message: `${entity} lists records of ${kind}; add it to the targets of \`${kind}.subject\`.`,
          location: list.location,
        });
      }
    },
  };
};

/** Names of the schemas that a relation can be. */
function targetsOf({ anyOf }: Node): readonly string[] {
  const branches = Array.isArray(anyOf) ? anyOf.filter(isNode) : [];
  return branches.flatMap(({ $ref }) => (typeof $ref === 'string' ? [$ref.slice($ref.lastIndexOf('/') + 1)] : []));
}
