import { resolve } from '../src/component-references.ts';
import type { Document, Schema } from './openapi.ts';

/**
 * Replaces an `allOf` with one schema: the properties and `required` of all parts, in the order of the document. A schema that
 * was closed by `unevaluatedProperties: false` is then closed by `additionalProperties: false`. That is equivalent once the
 * parts are merged, costs less to check, and names the offending property.
 */
export function flatten(document: Document, schema: Schema): Schema {
  const { allOf, ...own } = resolve<Schema>(document, schema);
  const parts = [...(allOf ?? []).map((part) => flatten(document, part)), own];
  const { unevaluatedProperties, ...merged } = parts.reduce(merge, {});
  for (const part of parts.slice(0, -1)) refuseWidening(part, merged);
  return unevaluatedProperties === false ? { ...merged, additionalProperties: false } : merged;
}

function merge(left: Schema, right: Schema): Schema {
  for (const keyword of ['anyOf', 'oneOf', 'not', 'if'])
    if (left[keyword] && right[keyword]) throw new Error(`Two parts of an allOf have \`${keyword}\`; name one schema.`);
  const merged: Record<string, unknown> = { ...left, ...right };
  if (left.properties && right.properties) merged.properties = mergeProperties(left.properties, right.properties);
  if (left.required && right.required) merged.required = [...new Set([...left.required, ...right.required])];
  return merged;
}

function mergeProperties(left: Record<string, Schema>, right: Record<string, Schema>): Record<string, Schema> {
  const merged = { ...left };
  for (const [name, schema] of Object.entries(right)) {
    const before = merged[name];
    merged[name] = before && !before.$ref && !schema.$ref ? { ...before, ...schema } : schema;
  }
  return merged;
}

/** In JSON Schema, a closed part refuses the properties that other parts add. The author cannot have meant that. */
function refuseWidening(part: Schema, whole: Schema): void {
  if (part.additionalProperties !== false) return;
  const added = Object.keys(whole.properties ?? {}).find((name) => !Object.hasOwn(part.properties ?? {}, name));
  if (added) throw new Error(`An allOf adds \`${added}\` to a schema that allows no further properties.`);
}
