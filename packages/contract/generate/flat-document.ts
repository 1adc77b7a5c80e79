import { flatten } from './flatten.ts';
import type { Document } from './openapi.ts';

/** The document with every named `allOf` flattened, without the schemas that are used only as parts of others. */
export function flatDocument(document: Document): Document {
  return onlyReferenced(withFlatSchemas(document));
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
  const waiting = referencesIn([document.paths, document.webhooks ?? {}, others]);
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
