import { clientDocument } from '@unified/contract';

interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly examples?: readonly unknown[];
}

/** Read when rows are derived, and not when this module is loaded: most starts derive none. */
const schemaOf = (name: string) => (clientDocument().components.schemas?.[name] ?? {}) as Schema;

/**
 * Examples that the document gives for the properties of an entity, by property. An object without one is composed of
 * the examples of its properties.
 */
export function examplesOf(entity: string): ReadonlyMap<string, readonly unknown[]> {
  const properties = [entity, `${entity}Patch`].flatMap((name) => propertiesOf(schemaOf(name)));
  return new Map(
    properties.flatMap(([name, schema]) => {
      const examples = examplesIn(schema);
      return examples.length > 0 ? [[name, examples]] : [];
    }),
  );
}

function propertiesOf(schema: Schema): [string, Schema][] {
  const { allOf = [], properties = {} } = resolved(schema);
  return [...allOf.flatMap(propertiesOf), ...Object.entries(properties)];
}

function examplesIn(schema: Schema): unknown[] {
  if (isRelation(schema)) return [];
  const { examples = [], items, anyOf = [] } = resolved(schema);
  const given = examples.filter((example) => example !== null);
  if (given.length > 0) return given;
  if (items) return examplesIn(items).map((example) => [example]);
  const [object] = [schema, ...anyOf].map(objectOf).filter((each) => Object.keys(each).length > 0);
  return object ? [object] : [];
}

function objectOf(schema: Schema): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    propertiesOf(schema).flatMap(([name, property]) => {
      const [example] = examplesIn(property);
      return example === undefined ? [] : [[name, example]];
    }),
  );
}

/** Rows refer to others by their numbers, which no example can contain. */
function isRelation({ $ref, anyOf = [], items }: Schema): boolean {
  if (items && isRelation(items)) return true;
  return [$ref, ...anyOf.map((each) => each.$ref)].some((ref) =>
    /(\/Relation(Input|Target)?|Reference)$/.test(ref ?? ''),
  );
}

function resolved(schema: Schema): Schema {
  return schema.$ref ? resolved(schemaOf(schema.$ref.split('/').at(-1) ?? '')) : schema;
}
