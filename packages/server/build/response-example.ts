import { sample } from 'openapi-sampler';
import type { DocumentResponse, DocumentSchema, ReferenceDocument } from '../src/reference/reference-document.ts';

/** An example of the JSON that a response contains; undefined if it contains no JSON. */
export function responseExample(document: ReferenceDocument, { content }: DocumentResponse): unknown {
  const { schema, example } = content?.['application/json'] ?? {};
  if (example !== undefined) return example;
  return schema && schemaExample(document, schema);
}

/** An example of a value, composed of the examples of its parts. */
export function schemaExample(document: ReferenceDocument, schema: DocumentSchema): unknown {
  return sample(schema as object, { quiet: true }, withoutExtensions(document));
}

const sampled = new WeakMap<ReferenceDocument, ReferenceDocument>();

/** The document without the fields that records have only with `extend=externalValues`. */
function withoutExtensions(document: ReferenceDocument): ReferenceDocument {
  const known = sampled.get(document);
  if (known) return known;
  const { Entity, ...schemas } = document.components.schemas ?? {};
  const { externalValues, ...properties } = Entity?.properties ?? {};
  const components = { ...document.components, schemas: { ...schemas, Entity: { ...Entity, properties } } };
  const reduced = { ...document, components };
  sampled.set(document, reduced);
  return reduced;
}
