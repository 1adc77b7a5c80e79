import { openApiDocument } from '@unified/contract';

interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly examples?: readonly unknown[];
}

/** Examples that the document gives for the properties of an entity, by property. */
export function examplesOf(entity: string): ReadonlyMap<string, readonly unknown[]> {
  const schemas = (openApiDocument().components.schemas ?? {}) as Readonly<Record<string, Schema>>;
  const found = new Map<string, readonly unknown[]>();
  const collect = ({ $ref, allOf = [], properties = {} }: Schema): void => {
    const referred = $ref && schemas[$ref.split('/').at(-1) ?? ''];
    if (referred) collect(referred);
    allOf.forEach(collect);
    for (const [name, { examples = [] }] of Object.entries(properties)) {
      const given = examples.filter((example) => example !== null);
      if (given.length > 0) found.set(name, given);
    }
  };
  for (const name of [entity, `${entity}Patch`]) collect(schemas[name] ?? {});
  return found;
}
