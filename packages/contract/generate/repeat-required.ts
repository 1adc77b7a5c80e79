import { flatten } from './flatten.ts';
import { mapSchemas } from './map-schemas.ts';
import type { Document, Schema } from './openapi.ts';

/**
 * The document in which each part of an `allOf` also has the properties that it requires: `VendorInput` requires `name`, which
 * is a property of `VendorFields`. Otherwise, generators that create a type for each part lose `required`. No property is
 * listed twice: what the schema itself requires is moved to a part of the `allOf` that has properties.
 */
export function repeatRequired(document: Document): Document {
  return mapSchemas(document, (schema) => {
    const { allOf, ...own } = withRequiredInPart(schema);
    if (!allOf) return schema;
    const { properties = {} } = flatten(document, schema);
    const parts = allOf.map((part) => withRequired(part, properties));
    return { ...withRequired(own, properties), allOf: parts };
  });
}

/** The schema with its own `required` moved to the last part of its `allOf` that has properties and is not a reference. */
function withRequiredInPart(schema: Schema): Schema {
  const { allOf = [], required, ...own } = schema;
  const index = allOf.findLastIndex(({ $ref, properties }) => $ref === undefined && properties !== undefined);
  const part = allOf[index];
  if (!part || !required || own.properties) return schema;
  return { ...own, allOf: allOf.with(index, { ...part, required: [...(part.required ?? []), ...required] }) };
}

function withRequired(part: Schema, all: Readonly<Record<string, Schema>>): Schema {
  const { required = [], properties = {} } = part;
  const repeated = required.flatMap((name) => (properties[name] || !all[name] ? [] : [[name, all[name]]]));
  if (repeated.length === 0) return part;
  return { ...part, properties: { ...properties, ...Object.fromEntries(repeated) } };
}
