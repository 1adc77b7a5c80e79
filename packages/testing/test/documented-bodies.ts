import { type Operation, openApiDocument } from '@unified/contract';

interface Described {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, { readonly example?: unknown }>>;
}

/** The body that the document shows for an operation; undefined where it takes none. */
export function exampleOf({ path, method }: Operation): Readonly<Record<string, unknown>> | undefined {
  const node = openApiDocument().paths[path]?.[method] as { requestBody?: Described } | undefined;
  return node?.requestBody?.content?.['application/json']?.example as Readonly<Record<string, unknown>> | undefined;
}
