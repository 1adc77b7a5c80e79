/** The keywords of JSON Schema that the document uses in bodies. */
export interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly enum?: readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly readOnly?: boolean;
  readonly 'x-references'?: readonly string[];
}

export type Components = Readonly<Record<string, Schema>>;

/** The name of the component that a schema refers to. */
export function referredName({ $ref }: Schema): string | undefined {
  return $ref?.split('/').at(-1);
}

/** A schema with its reference and all of `allOf` merged into one object. Keywords beside a reference win. */
export function merged(schema: Schema, components: Components): Schema {
  const name = referredName(schema);
  const referred = name === undefined ? undefined : components[name];
  const { $ref: _, allOf = [], ...own } = schema;
  const parts = [...(referred ? [merged(referred, components)] : []), ...allOf.map((each) => merged(each, components))];
  return [...parts, own].reduce<Schema>(join, {});
}

function join(left: Schema, right: Schema): Schema {
  const required = [...new Set([...(left.required ?? []), ...(right.required ?? [])])];
  const properties = { ...left.properties, ...right.properties };
  return {
    ...left,
    ...right,
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required }),
  };
}
