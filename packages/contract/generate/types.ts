import openapiTypescript, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { flatDocument } from './flat-document.ts';
import type { Document } from './openapi.ts';

/**
 * TypeScript types of all paths, operations and components, from the flat document: the type generator applies
 * `required` only to properties of the same schema, and one object type is easier to read than an intersection of five.
 */
export async function typesOf(document: Document): Promise<string> {
  const nodes = await openapiTypescript(withoutReferenceExamples(flatDocument(document)) as unknown as OpenAPI3, {
    defaultNonNullable: false,
    silent: true,
  });
  return astToString(nodes);
}

/** Examples of references would make the types a fifth longer; the type of the property says the same. */
function withoutReferenceExamples(document: Document): Document {
  return JSON.parse(JSON.stringify(document), (key, value) =>
    key === 'examples' && [value].flat(2)[0]?._displayValue !== undefined ? undefined : value,
  );
}
