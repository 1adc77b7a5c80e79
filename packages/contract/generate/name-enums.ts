import { isDeepStrictEqual } from 'node:util';
import type { Document, Schema } from './openapi.ts';

/** Schemas of the same record: `InvoiceFields`, `InvoicePatch` and `InvoiceInput` are parts or forms of `Invoice`. */
const FORM = /(Fields|Patch|Input)$/;

/**
 * The document with a named schema for the listed values of each property: `statusCategory` of an invoice is an
 * `InvoiceStatusCategory`. Otherwise, generators that name a type after its property append numbers to distinguish those of
 * several records.
 */
export function nameEnums(document: Document): Document {
  const { schemas = {} } = document.components;
  const named = new Map<string, Schema>();
  const nameOf = (owner: string, property: string, values: Schema): string | undefined => {
    const record = owner.replace(FORM, '');
    const names = [record, owner].map((each) => each + property.charAt(0).toUpperCase() + property.slice(1));
    return names.find((name) => {
      const known = named.get(name) ?? schemas[name];
      if (known) return isDeepStrictEqual(known.enum, values.enum);
      named.set(name, values);
      return true;
    });
  };
  const replaced = Object.entries(schemas).map(([owner, schema]) => [
    owner,
    withNames(schema, nameOf.bind(null, owner)),
  ]);
  const own = { ...Object.fromEntries(replaced), ...Object.fromEntries(named) };
  return { ...document, components: { ...document.components, schemas: own } };
}

type NameOf = (property: string, values: Schema) => string | undefined;

/** A schema, including the parts of an `allOf`, in which references replace the listed values of its properties. */
function withNames(schema: Schema, nameOf: NameOf): Schema {
  const { properties, allOf } = schema;
  const renamed = Object.entries(properties ?? {}).map(([name, property]) => [
    name,
    ofProperty(name, property, nameOf),
  ]);
  return {
    ...schema,
    ...(properties && { properties: Object.fromEntries(renamed) }),
    ...(allOf && { allOf: allOf.map((part) => withNames(part, nameOf)) }),
  };
}

/** A property, or the elements of its list, with a reference to its values. A nullable property stays nullable. */
function ofProperty(property: string, schema: Schema, nameOf: NameOf): Schema {
  if (schema.items) return { ...schema, items: ofProperty(property, schema.items, nameOf) };
  const { type, enum: values, ...others } = schema;
  const texts = values?.filter((value) => value !== null) ?? [];
  // A single value is a constant, which needs no type of its own.
  if (texts.length < 2 || !texts.every((value) => typeof value === 'string')) return schema;
  const [example] = [schema.examples].flat() as readonly unknown[];
  const shown = typeof example === 'string' && { examples: [example] };
  const name = nameOf(property, { type: 'string', description: `Values of \`${property}\`.`, enum: texts, ...shown });
  if (name === undefined) return schema;
  const reference = { $ref: `#/components/schemas/${name}` };
  return texts.length === values?.length
    ? { ...others, ...reference }
    : { ...others, anyOf: [reference, { type: 'null' }] };
}
