import { nameOf as componentName, resolve } from '@unified/contract';
import type { DocumentSchema, ReferenceDocument } from '../src/reference/reference-document.ts';

/** A property of an object, with references and `allOf` resolved. */
export interface Property {
  readonly name: string;
  readonly schema: DocumentSchema;
  readonly isRequired: boolean;
}

/** The schema whose fields all records have. */
const COMMON = 'Entity';

/** Name of the component that a schema refers to. */
export function nameOf({ $ref }: DocumentSchema): string | undefined {
  return $ref === undefined ? undefined : componentName($ref);
}

/** A reference to the schema with this name. */
export function schemaRef(name: string): DocumentSchema {
  return { $ref: `#/components/schemas/${name}` };
}

/** The properties of an object, including those of its `allOf`. Those that all records have come last. */
export function propertiesOf(document: ReferenceDocument, schema: DocumentSchema): Property[] {
  const required = new Set<string>();
  const found = new Map<string, DocumentSchema>();
  const common = new Set<string>();
  const collect = (part: DocumentSchema, isCommon: boolean) => {
    const { allOf = [], properties = {}, required: names = [] } = resolve<DocumentSchema>(document, part);
    for (const each of allOf) collect(each, isCommon || nameOf(each) === COMMON);
    for (const name of names) required.add(name);
    for (const [name, value] of Object.entries(properties)) {
      if (isCommon) common.add(name);
      found.set(name, { ...found.get(name), ...value });
    }
  };
  collect(schema, nameOf(schema) === COMMON);
  return [...found]
    .map(([name, value]) => ({ name, schema: value, isRequired: required.has(name) }))
    .toSorted((one, other) => Number(common.has(one.name)) - Number(common.has(other.name)));
}

/** The alternatives of a schema other than null, and whether it allows null. */
export function alternatives(schema: DocumentSchema): {
  readonly options: readonly DocumentSchema[];
  readonly isNullable: boolean;
} {
  const { anyOf, oneOf, type } = schema;
  const all = anyOf ?? oneOf;
  if (all?.some((each) => each.$ref ?? each.type ?? each.properties)) {
    const options = all.filter((each) => each.type !== 'null');
    return { options, isNullable: options.length < all.length };
  }
  if (typeof type !== 'object') return { options: [schema], isNullable: false };
  const types = type.filter((each) => each !== 'null');
  const options = types.map((each) => ({ ...schema, type: each }));
  return { options, isNullable: types.length < type.length };
}
