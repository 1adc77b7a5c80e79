import { flatten } from './flatten.ts';
import { type Document, nameOf, type Schema } from './openapi.ts';

/**
 * The document with the description of each relation in the bodies `<Entity>Patch` and `<Entity>Input`: that of the field
 * in the entity, which the files state once.
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
  const isRelation = property.$ref !== undefined && nameOf(property.$ref) === 'RelationInput';
  if (!isRelation || property.description !== undefined || field?.description === undefined) return property;
  return { ...property, description: field.description };
}
