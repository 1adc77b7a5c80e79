import { nameOf } from '../src/component-references.ts';
import type { Body, Document, OperationNode, Reference } from './openapi.ts';

/** Names of the shared responses that an operation has for these statuses. */
export function namesOfResponses({ responses = {} }: OperationNode, statuses: readonly string[]): string[] {
  const described = statuses.map((status): Body | Reference | undefined => responses[status]);
  return described.flatMap((each) => (each && '$ref' in each ? [nameOf(each.$ref)] : []));
}

/** The shared responses of a document, in which those with these names also have a shared header. */
export function withHeader({ components }: Document, names: ReadonlySet<string>, header: string): object {
  const added = { [header]: { $ref: `#/components/headers/${header}` } };
  const described = Object.entries(components.responses ?? {}).map(([name, response]) => {
    const { headers = {} } = response as { readonly headers?: object };
    return [name, names.has(name) ? { ...response, headers: { ...headers, ...added } } : response];
  });
  return Object.fromEntries(described);
}
