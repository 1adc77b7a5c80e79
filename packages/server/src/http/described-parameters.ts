import type { Operation } from '@unified/contract';
import type { ServedContract } from './served-contract.ts';

/** What the document says of an operation's parameters, as far as it must be known before they are checked. */
export interface DescribedParameters {
  /** Query parameters that are whole numbers. */
  readonly integers: readonly string[];
  /** Headers, spelled as in the document. */
  readonly headers: readonly string[];
  readonly takesBody: boolean;
  readonly needsBody: boolean;
  /** Whether the body may be `multipart/form-data`: a file, and the JSON that describes it. */
  readonly takesFile: boolean;
}

interface Described {
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly schema?: { readonly type?: string };
  }[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Readonly<Record<string, unknown>> };
}

/** Looks an operation up in the validator document that holds it. */
export function describedParameters(
  shards: ServedContract['shards'],
  { id, shard, path, method }: Operation,
): DescribedParameters {
  const described: Described | undefined = shards[shard]?.paths[path]?.[method];
  if (!described) throw new Error(`No validator document describes ${id}.`);
  const parameters = described.parameters ?? [];
  const integers = parameters.filter((each) => each.in === 'query' && each.schema?.type === 'integer');
  return {
    integers: integers.map(({ name }) => name),
    headers: parameters.filter((each) => each.in === 'header').map(({ name }) => name),
    takesBody: described.requestBody !== undefined,
    needsBody: described.requestBody?.required === true,
    takesFile: described.requestBody?.content['multipart/form-data'] !== undefined,
  };
}
