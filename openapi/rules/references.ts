import { isRelation, referencedNames } from '../../packages/contract/src/component-references.ts';
import { eachOperation } from './operations.ts';
import { go, isNode, type Place } from './place.ts';
import type { Context, Node, Rule } from './redocly.ts';
import { propertiesOf } from './schema.ts';

/**
 * A relation of a record names its targets as branches, which an expanded response matches. A relation within an object of a
 * record is never expanded and names its targets in `x-references`.
 */
export const references: Rule = () => {
  const seen = new Set<string>();
  return eachOperation(({ entity }, context) => {
    if (!entity || seen.has(entity.name)) return;
    seen.add(entity.name);
    for (const property of propertiesOf(context, entity.schema).values()) {
      if (isRelation(property.node)) checkOwn(property, context);
      else
        for (const inner of propertiesOf(context, objectIn(context, property)).values())
          if (isRelation(inner.node)) checkWithin(inner, context);
    }
  });
};

function checkOwn(property: Place, context: Context): void {
  if ('x-references' in property.node || 'x-references' in itemsOf(property.node))
    context.report({
      message: 'a relation of a record must name its targets in `anyOf`, not by `x-references`.',
      location: property.location,
    });
}

function checkWithin({ node, location }: Place, context: Context): void {
  const said = itemsOf(node)['x-references'] ?? node['x-references'];
  if (!Array.isArray(said) || said.length === 0)
    context.report({ message: 'a relation within an object must name its targets in `x-references`.', location });
  if (referencedNames(node).some((name) => name !== 'Relation'))
    context.report({
      message: 'a relation within an object is not expanded; leave the target out of `anyOf`.',
      location,
    });
}

function itemsOf({ items }: Node): Node {
  return isNode(items) ? items : {};
}

/** The object that a property holds: itself, an element of its list, or the one that may be absent. */
function objectIn(context: Context, property: Place): Place | undefined {
  const at = go(context, property);
  if (isNode(at?.node.items)) return go(context, at, 'items');
  const branches = Array.isArray(at?.node.anyOf) ? at.node.anyOf : [];
  return branches.length > 0 ? go(context, at, 'anyOf', 0) : at;
}
