/** Name of the component that a reference points to: `Vendor` for `#/components/schemas/Vendor`. */
export function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}

/**
 * Resolves a node of a document: returns the node itself, or the target of its `$ref` merged with the keywords next to the
 * `$ref`. Throws if the document does not have the target.
 */
export function resolve<T extends object>(document: object, node: T | { readonly $ref: string }): T {
  if (!('$ref' in node) || typeof node.$ref !== 'string') return node as T;
  const { $ref, ...beside } = node;
  const target = $ref
    .slice(2)
    .split('/')
    .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[decode(key)], document);
  if (target === undefined) throw new Error(`The document has no ${$ref}.`);
  return { ...resolve<T>(document, target as T), ...beside };
}

function decode(key: string): string {
  return key.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** The keywords of a schema that refer to others. */
interface Referring {
  readonly $ref?: string;
  readonly anyOf?: readonly Referring[];
  readonly items?: Referring;
}

/** Names of the components that a value, or an element of a list, can be. */
export function referencedNames({ $ref, anyOf = [], items }: Referring): string[] {
  if (items) return referencedNames(items);
  return [$ref, ...anyOf.map((each) => each.$ref)].flatMap((each) => (each === undefined ? [] : [nameOf(each)]));
}

/** Whether a value is a reference to a record, as it appears in records, or a list of them. */
export function isRelation(schema: Referring): boolean {
  return referencedNames(schema).includes('Relation');
}
