import { resolve } from '../src/component-references.ts';
import type { Body, Document, OperationNode, Schema } from './openapi.ts';

/**
 * Entities that the references of a request body may point to, by the path of the property: `reason`, `lines.line`.
 * `x-references` names them if the body is not the body of an entity.
 */
export function referencesOf(document: Document, node: OperationNode): Readonly<Record<string, readonly string[]>> {
  if (!node.requestBody) return {};
  const schema = resolve<Body>(document, node.requestBody).content?.['application/json']?.schema;
  return schema ? Object.fromEntries(marked(document, schema, '')) : {};
}

function marked(document: Document, node: Schema, path: string): [string, readonly string[]][] {
  const targets = node['x-references'];
  if (Array.isArray(targets)) return [[path, targets]];
  const schema = resolve<Schema>(document, node);
  if (schema.items) return marked(document, schema.items, path);
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
    marked(document, property, path === '' ? name : `${path}.${name}`),
  );
}
