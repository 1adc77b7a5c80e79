import { nameOf } from '../src/component-references.ts';
import { flatten } from './flatten.ts';
import type { Document, Schema } from './openapi.ts';

/**
 * The document with a description and an example of each relation in the bodies `<Entity>Patch` and `<Entity>Input`: those of
 * the entity's field, which the files contain only once.
 */
export function describeRelations(document: Document): Document {
  const { schemas = {}, ...components } = document.components;
  const described = Object.entries(schemas).map(([name, schema]) => {
    const entity = schemas[/^(.+)(?:Patch|Input)$/.exec(name)?.[1] ?? ''];
    return [name, entity ? withDescriptions(schema, flatten(document, entity).properties ?? {}) : schema];
  });
  return { ...document, components: { ...components, schemas: Object.fromEntries(described) } };
}

function withDescriptions(schema: Schema, fields: Readonly<Record<string, Schema>>): Schema {
  const { allOf, properties } = schema;
  const described = Object.entries(properties ?? {}).map(([name, property]) => [
    name,
    describe(property, fields[name]),
  ]);
  return {
    ...schema,
    ...(allOf && { allOf: allOf.map((part) => withDescriptions(part, fields)) }),
    ...(properties && { properties: Object.fromEntries(described) }),
  };
}

function describe(property: Schema, field: Schema | undefined): Schema {
  if (field === undefined || !isReference(property)) return property;
  const { description = field.description, examples = sent(field) } = property;
  return {
    ...property,
    ...(description !== undefined && { description }),
    ...(examples !== undefined && { examples }),
  };
}

/** Whether a schema is a reference as it is sent, or a list of them. */
function isReference({ $ref, items }: Schema): boolean {
  return items ? isReference(items) : $ref !== undefined && /^Relation(Input|Target)$/.test(nameOf($ref));
}

/** The example of a field that is a reference, or a list of them, in the form in which it is sent. */
function sent({ examples }: Schema): readonly unknown[] | undefined {
  if (!Array.isArray(examples)) return undefined;
  const labelOf = ({ _displayValue }: { readonly _displayValue: string }) => ({ _displayValue });
  return examples.map((example) => (Array.isArray(example) ? example.map(labelOf) : labelOf(example)));
}
