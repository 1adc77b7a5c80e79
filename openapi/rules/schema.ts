import { go, isNode, type Place } from './place.ts';
import type { Context, Location } from './redocly.ts';

/** Properties of a schema and of all parts of its `allOf`, each with its location and before its `$ref` is followed. */
export function propertiesOf(context: Context, schema: Place | undefined): ReadonlyMap<string, Place> {
  const found = new Map<string, Place>();
  for (const part of partsOf(context, schema)) {
    const properties = part.node.properties;
    if (!isNode(properties)) continue;
    for (const [name, node] of Object.entries(properties))
      if (isNode(node)) found.set(name, { node, location: part.location.child(['properties', name]) });
  }
  return found;
}

/** Names that a schema or a part of its `allOf` requires. */
export function requiredOf(context: Context, schema: Place | undefined): ReadonlySet<string> {
  return new Set(
    partsOf(context, schema).flatMap(({ node }) => (Array.isArray(node.required) ? node.required.map(String) : [])),
  );
}

/** Whether the schema or a part of its `allOf` refuses properties that it does not name. */
export function isClosed(context: Context, schema: Place | undefined): boolean {
  return partsOf(context, schema).some(
    ({ node }) => node.unevaluatedProperties === false || node.additionalProperties === false,
  );
}

function partsOf(context: Context, schema: Place | undefined): readonly Place[] {
  const at = go(context, schema);
  if (!at) return [];
  const parts = Array.isArray(at.node.allOf) ? at.node.allOf : [];
  return [...parts.flatMap((_, index) => partsOf(context, go(context, at, 'allOf', index))), at];
}

/** Whether a schema is part of a condition. Conditions name properties that are declared, and described, elsewhere. */
export function isCondition({ pointer }: Location): boolean {
  return /\/(?:if|then|else|not)(?:\/|$)/.test(pointer);
}
