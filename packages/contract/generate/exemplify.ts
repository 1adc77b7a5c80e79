import { isRelation, nameOf, referencedNames, resolve } from '../src/component-references.ts';
import { canonicalCollection } from './canonical-collection.ts';
import { entryLabel } from './entry-labels.ts';
import { flatten } from './flatten.ts';
import type { Document, Schema } from './openapi.ts';
import { findOperations } from './operations.ts';

/** Values that identify a record in examples. */
interface Shown {
  readonly collection: string;
  readonly code: string;
  readonly label: string;
}

const SERVER = 'http://localhost:4000/v4';
/** Examples of common fields: `_idValue` of a record, then `id` and `_idValue` of the target of a reference. */
const KEY = '1042';
const TARGET = { id: '0199d2a4-7b10-7c21-8a55-90c1d2e3f4a5', _idValue: '3' };
/** Fields that describe a record with neither a name nor a code, the best one first. */
const LABELS = ['title', 'label', 'description'];

/**
 * The document with an example for every reference, which shows a record of the first entity that it may point to, and for the
 * common fields of every entity: a reference to a vendor shows a vendor, and a currency has the code EUR. Examples from the
 * files are kept.
 */
export function exemplify(document: Document): Document {
  const shown = shownRecords(document);
  const { schemas = {}, ...components } = document.components;
  const filled = Object.entries(schemas).map(([name, schema]) => {
    const record = shown.get(name);
    const withReferences = exemplifyReferences(schema, shown);
    return [name, record ? withCommonFields(document, name, withReferences, record) : withReferences];
  });
  return { ...document, components: { ...components, schemas: Object.fromEntries(filled) } };
}

function shownRecords(document: Document): ReadonlyMap<string, Shown> {
  const found = findOperations(document);
  const names = new Set(found.flatMap(({ operation: { kind, entity } }) => (kind === 'list' && entity ? entity : [])));
  return new Map(
    [...names].map((name) => [name, { collection: canonicalCollection(name, found), ...texts(document, name) }]),
  );
}

/** Code and label from the examples of the entity's own fields. */
function texts(document: Document, entity: string): Pick<Shown, 'code' | 'label'> {
  const { schemas = {} } = document.components;
  const exampleOf = (schema: Schema | undefined, field: string): string | undefined => {
    const [example] = schema ? examplesOf(flatten(document, schema).properties?.[field]) : [];
    return typeof example === 'string' ? example : undefined;
  };
  const common = exampleOf(schemas.Entity, 'code');
  const own = exampleOf(schemas[entity], 'code');
  const code = exampleOf(schemas[`${memberOf(document, entity)}Patch`], 'code') ?? (own === common ? undefined : own);
  const [label = KEY] = [
    exampleOf(schemas[entity], 'name'),
    code,
    ...LABELS.map((field) => exampleOf(schemas[entity], field)),
  ].filter((each) => each !== undefined);
  return { code: code ?? KEY, label };
}

/** The entity that the records of a view belong to, or the first of several; the entity itself if it is not a view. */
function memberOf(document: Document, entity: string): string {
  const view = document.components.schemas?.[entity]?.['x-view'] as readonly { readonly entity: string }[] | undefined;
  return view?.[0]?.entity ?? entity;
}

function examplesOf(schema: Schema | undefined): readonly unknown[] {
  return Array.isArray(schema?.examples) ? schema.examples : [];
}

/** The schema with an example for each reference among its properties. */
function exemplifyReferences(schema: Schema, shown: ReadonlyMap<string, Shown>): Schema {
  const { allOf, properties } = schema;
  const filled = Object.entries(properties ?? {}).map(([name, property]) => [
    name,
    exemplifyReference(name, exemplifyReferences(property, shown), shown),
  ]);
  return {
    ...schema,
    ...(allOf && { allOf: allOf.map((part) => exemplifyReferences(part, shown)) }),
    ...(properties && { properties: Object.fromEntries(filled) }),
  };
}

function exemplifyReference(name: string, property: Schema, shown: ReadonlyMap<string, Shown>): Schema {
  if (property.examples !== undefined) return property;
  const example = referenceExample(name, property.items ?? property, shown);
  return example ? { ...property, examples: [property.items ? [example] : example] } : property;
}

/** An example of the reference in a field in the form in which it is returned or sent; undefined for any other schema. */
function referenceExample(field: string, schema: Schema, shown: ReadonlyMap<string, Shown>): object | undefined {
  const names = referencedNames(schema);
  const referenced = Array.isArray(schema['x-references']) ? schema['x-references'].map(String) : [];
  const rel = [...names, ...referenced].find((name) => shown.has(name));
  const target = rel === undefined ? undefined : shown.get(rel);
  if (!target) return undefined;
  const { collection } = target;
  const label = (rel === 'Taxonomy' ? entryLabel(field) : undefined) ?? target.label;
  if (isRelation(schema)) return { ...TARGET, _displayValue: label, rel, href: `${SERVER}/${collection}/${TARGET.id}` };
  return names.some((name) => /^Relation(Input|Target)$/.test(name)) ? { _displayValue: label } : undefined;
}

/** The schema of an entity with its own examples for the fields that all entities have. A view repeats those of its entity. */
function withCommonFields(document: Document, name: string, schema: Schema, { code, label }: Shown): Schema {
  if (!schema.allOf?.some(({ $ref }) => $ref !== undefined && nameOf($ref) === 'Entity')) return schema;
  const examples = { code, _displayValue: label, _implements: ['Entity', memberOf(document, name)] };
  const own = flatten(document, schema).properties ?? {};
  const fields = Object.entries(examples).map(([field, example]) => [
    field,
    { ...resolve<Schema>(document, own[field] ?? {}), examples: [example] },
  ]);
  return { ...schema, allOf: [...schema.allOf, { type: 'object', properties: Object.fromEntries(fields) }] };
}
