import { isDeepStrictEqual } from 'node:util';
import { isRelation, referencedNames } from '../src/component-references.ts';
import { mapSchemas } from './map-schemas.ts';
import type { Document, Schema } from './openapi.ts';

/**
 * The document with one schema for the references to each entity: `VendorReference` in place of each `anyOf: [Relation,
 * Vendor]`. A property that can be null is `anyOf: [VendorReference, null]`. Third-party generators create a type for every
 * `anyOf` in a property, and there are hundreds. References with several targets stay unchanged.
 */
export function shareReferences(document: Document): Document {
  const { schemas = {} } = document.components;
  const shared = new Map<string, Schema>();
  const mapped = mapSchemas(document, (schema) => withSharedReferences(schema, shared));
  const taken = [...shared.keys()].find((name) => schemas[name]);
  if (taken) throw new Error(`The document has a schema ${taken}, which is reserved for references.`);
  return {
    ...mapped,
    components: {
      ...mapped.components,
      schemas: { ...mapped.components.schemas, ...Object.fromEntries(shared) },
    },
  };
}

function withSharedReferences(schema: Schema, shared: Map<string, Schema>): Schema {
  const { properties } = schema;
  if (!properties) return schema;
  const replaced = Object.entries(properties).map(([name, property]) => [name, ofProperty(property, shared)]);
  return { ...schema, properties: Object.fromEntries(replaced) };
}

/** A property that is a reference or a list of references. Its examples are replaced by those of the shared schema. */
function ofProperty(property: Schema, shared: Map<string, Schema>): Schema {
  const { items, anyOf = [], examples, ...others } = property;
  const target = targetOf(property);
  if (target === undefined) return property;
  const [example] = [examples].flat() as readonly unknown[];
  const [element] = [example].flat();
  const name = `${target}Reference`;
  if (!shared.has(name)) shared.set(name, referenceTo(target, element));
  const isShared = isDeepStrictEqual(shared.get(name)?.examples, [element]);
  const reference = { $ref: `#/components/schemas/${name}` };
  const own = { ...others, ...(!isShared && examples !== undefined && { examples }) };
  if (items) return { ...own, items: reference };
  return anyOf.some(({ type }) => type === 'null')
    ? { ...own, anyOf: [reference, { type: 'null' }] }
    : { ...own, ...reference };
}

/** The only entity that a reference can point to; undefined for any other schema. */
function targetOf(schema: Schema): string | undefined {
  const [target, ...others] = referencedNames(schema).filter((name) => name !== 'Relation');
  return isRelation(schema) && others.length === 0 ? target : undefined;
}

function referenceTo(target: string, example: unknown): Schema {
  const branches = ['Relation', target].map((name) => ({ $ref: `#/components/schemas/${name}` }));
  return {
    description: `A reference to a record of the kind \`${target}\`; the record itself if the relation is expanded.`,
    anyOf: branches,
    ...(example !== undefined && { examples: [example] }),
  };
}
