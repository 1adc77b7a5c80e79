import { resolve } from '../src/component-references.ts';
import type { Operation } from '../src/operation.ts';
import { canonicalCollection } from './canonical-collection.ts';
import type { Body, Document } from './openapi.ts';
import type { Found } from './operations.ts';

/**
 * What responses of a deprecated operation state; nothing for other operations, or when the document does not describe the
 * header `Deprecation`. The successor of an older address is the same address below the entity's canonical collection. The
 * successor of a PUT is its own address if it has a PATCH. Otherwise, `x-successor` names it.
 */
export function deprecationOf(document: Document, all: readonly Found[], found: Found): Pick<Operation, 'deprecation'> {
  const header = document.components.headers?.Deprecation?.schema as { readonly const?: unknown } | undefined;
  if (!found.operation.deprecated || typeof header?.const !== 'string') return {};
  const successor = successorOf(document, all, found);
  const sunset = sunsetOf(document, found);
  return { deprecation: { since: header.const, ...(successor && { successor }), ...(sunset && { sunset }) } };
}

/** The end date of an operation, if its responses describe the header `Sunset`. */
function sunsetOf(document: Document, { node: { responses = {} } }: Found): string | undefined {
  const ends = Object.entries(responses).some(
    ([status, response]) => status !== 'default' && resolve<Body>(document, response).headers?.Sunset,
  );
  const header = document.components.headers?.Sunset?.schema as { readonly const?: unknown } | undefined;
  return ends && typeof header?.const === 'string' ? header.const : undefined;
}

function successorOf({ paths }: Document, all: readonly Found[], { operation, node }: Found): string | undefined {
  const successor = node['x-successor'];
  if (successor !== undefined) return successor;
  const { entity, path, method } = operation;
  const [, own = '', ...rest] = path.split('/');
  const collection = entity === undefined ? own : canonicalCollection(entity, all);
  const current = ['', collection, ...rest].join('/');
  const item = paths[current];
  if (method === 'put') return item?.patch ? current : undefined;
  return current !== path && item?.[method] ? current : undefined;
}
