import { eachChild } from './inline.ts';
import type { Document, Schema } from './openapi.ts';

/**
 * The document with every schema in `components.schemas`, and every schema within them, replaced. The function is called with
 * schemas whose parts have already been replaced.
 */
export function mapSchemas(document: Document, replace: (schema: Schema) => Schema): Document {
  const { schemas = {}, ...components } = document.components;
  const deep = (schema: Schema): Schema => {
    const { allOf, ...others } = eachChild(schema, deep);
    return replace(allOf ? { ...others, allOf: (allOf as readonly Schema[]).map(deep) } : others);
  };
  const replaced = Object.entries(schemas).map(([name, schema]) => [name, deep(schema)]);
  return { ...document, components: { ...components, schemas: Object.fromEntries(replaced) } };
}
