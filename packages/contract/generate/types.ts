import openapiTypescript, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { flatten } from './flatten.ts';
import type { Document } from './openapi.ts';

/**
 * TypeScript types of all paths, operations and components. Each `allOf` is flattened first: the type generator narrows
 * `required` only against properties that stand in the same schema, and one object type reads better than five joined.
 */
export async function typesOf(document: Document): Promise<string> {
  const schemas = Object.entries(document.components.schemas ?? {}).map(([name, schema]) => [
    name,
    schema.allOf ? flatten(document, schema) : schema,
  ]);
  const flat = { ...document, components: { ...document.components, schemas: Object.fromEntries(schemas) } };
  const nodes = await openapiTypescript(flat as unknown as OpenAPI3, { defaultNonNullable: false, silent: true });
  return astToString(nodes);
}
