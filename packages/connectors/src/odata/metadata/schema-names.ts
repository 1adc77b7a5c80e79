import { childrenOf, type XmlElement } from './xml-element.ts';

/** Resolves names of types: an alias to its namespace, and a type definition to its underlying type. */
export function schemaNames(schemas: readonly XmlElement[]) {
  const aliases = new Map(
    schemas.flatMap((schema) => {
      const alias = schema.attribute('Alias');
      return alias === undefined ? [] : [[alias, schema.attribute('Namespace') ?? ''] as const];
    }),
  );
  const full = (name: string): string => {
    const at = name.lastIndexOf('.');
    const namespace = aliases.get(name.slice(0, at));
    return namespace === undefined ? name : `${namespace}${name.slice(at)}`;
  };
  const declared = (kind: string) =>
    schemas.flatMap((schema) =>
      childrenOf(schema, kind).map((element) => {
        return { name: `${schema.attribute('Namespace')}.${element.attribute('Name')}`, element };
      }),
    );
  const defined = new Map(
    declared('TypeDefinition').map(
      ({ name, element }) => [name, element.attribute('UnderlyingType') ?? 'Edm.String'] as const,
    ),
  );
  const enumerations = new Set(declared('EnumType').map(({ name }) => name));
  return {
    full,
    declared,
    underlying: (type: string): string => defined.get(full(type)) ?? full(type),
    isEnumeration: (type: string): boolean => enumerations.has(full(type)),
  };
}
