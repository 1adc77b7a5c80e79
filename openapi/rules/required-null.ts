import { isNode } from './place.ts';
import type { Node, Rule } from './redocly.ts';
import { isClosed, isCondition, propertiesOf, requiredOf } from './schema.ts';

/**
 * In a schema with `allOf`, some generators forget that a required property can be null, and then refuse the record, unless
 * the property is a reference to a schema of its own or an enumeration. Schemas that are only sent are closed.
 */
export const requiredNull: Rule = () => ({
  Schema(node: Node, context) {
    const { location, report } = context;
    if (!Array.isArray(node.allOf) || isCondition(location) || isClosed(context, { node, location })) return;
    const declared = propertiesOf(context, { node, location });
    for (const name of requiredOf(context, { node, location }))
      if (losesNull(declared.get(name)?.node))
        report({ message: `\`${name}\` is required and can be null: give it a named schema.`, location });
  },
});

function losesNull(property: Node | undefined): boolean {
  if (!property || property.enum !== undefined) return false;
  const branches = [property.anyOf, property.oneOf].flatMap((each) => (Array.isArray(each) ? each : []));
  return isNullable(property) || (branches.some(isNullable) && !branches.some(isReference));
}

function isNullable(schema: unknown): boolean {
  return isNode(schema) && [schema.type].flat().includes('null');
}

function isReference(schema: unknown): boolean {
  return isNode(schema) && typeof schema.$ref === 'string';
}
