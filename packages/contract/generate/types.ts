import openapiTypescript, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { flatten } from './flatten.ts';
import type { Document } from './openapi.ts';

/**
 * TypeScript types of all paths, operations and components. Each `allOf` is flattened first: the type generator narrows
 * `required` only against properties that stand in the same schema, and one object type reads better than five joined.
 * Schemas that only served as parts of others are left out.
 */
export async function typesOf(document: Document): Promise<string> {
  const flat = onlyReferenced(withFlatSchemas(document));
  const nodes = await openapiTypescript(flat as unknown as OpenAPI3, { defaultNonNullable: false, silent: true });
  return astToString(nodes);
}

function withFlatSchemas(document: Document): Document {
  const schemas = Object.entries(document.components.schemas ?? {}).map(([name, schema]) => [
    name,
    schema.allOf ? flatten(document, schema) : schema,
  ]);
  return { ...document, components: { ...document.components, schemas: Object.fromEntries(schemas) } };
}

function onlyReferenced(document: Document): Document {
  const { schemas = {}, ...others } = document.components;
  const reached = new Set<string>();
  const waiting = referencesIn([document.paths, others]);
  for (let name = waiting.pop(); name; name = waiting.pop()) {
    if (reached.has(name)) continue;
    reached.add(name);
    waiting.push(...referencesIn(schemas[name] ?? {}));
  }
  const kept = Object.entries(schemas).filter(([name]) => reached.has(name));
  return { ...document, components: { ...others, schemas: Object.fromEntries(kept) } };
}

function referencesIn(node: object): string[] {
  return Array.from(JSON.stringify(node).matchAll(/"#\/components\/schemas\/([^"]+)"/g), ([, name]) => name ?? '');
}
