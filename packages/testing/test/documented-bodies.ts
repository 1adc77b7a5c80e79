import { clientDocument, type Operation } from '@unified/contract';

interface Described {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, { readonly example?: unknown }>>;
}

/** The example body of an operation in the document; undefined if it has none. */
export function exampleOf({ path, method }: Operation): Readonly<Record<string, unknown>> | undefined {
  const node = clientDocument().paths[path]?.[method] as { requestBody?: Described } | undefined;
  return node?.requestBody?.content?.['application/json']?.example as Readonly<Record<string, unknown>> | undefined;
}
