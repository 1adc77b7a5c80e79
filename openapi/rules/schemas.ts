import { eachOperation } from './operations.ts';
import { go, isNode } from './place.ts';
import type { Context, Node, Rule, Visitor } from './redocly.ts';
import { isCondition } from './schema.ts';

/** Schemas have names and described properties, and each concept is expressed in one way. */
export const schemas: Rule = () => {
  const named: Visitor = eachOperation(({ at, parameters, successes, report }, context) => {
    const bodies = [['requestBody'], ...successes.map((status) => ['responses', status])];
    for (const keys of bodies)
      for (const [type, media] of Object.entries(go(context, at, ...keys, 'content')?.node ?? {}))
        if (isNode(media) && isInlineObject(media.schema)) report(`the schema of ${type} must have a name.`, ...keys);
    for (const index of parameters.keys())
      if (isInlineObject(go(context, at, 'parameters', index)?.node.schema))
        report('an object parameter must have a named schema.');
  });
  return { ...named, Schema: checkSchema };
};

function isInlineObject(schema: unknown): boolean {
  return isNode(schema) && !schema.$ref && (isNode(schema.properties) || Array.isArray(schema.allOf));
}

function checkSchema(schema: Node, { report, location }: Context): void {
  if ('nullable' in schema)
    report({
      message: "use `type: [..., 'null']` instead of `nullable`.",
      location: location.child(['nullable']).key(),
    });
  if ('oneOf' in schema)
    report({
      message: 'use `anyOf` instead of `oneOf`: an expanded record matches several branches.',
      location: location.child(['oneOf']).key(),
    });
  if (!isNode(schema.properties) || isCondition(location)) return;
  for (const [name, property] of Object.entries(schema.properties)) {
    if (!isNode(property) || property.$ref || property.description) continue;
    report({ message: `\`${name}\` has no description.`, location: location.child(['properties', name]).key() });
  }
}
