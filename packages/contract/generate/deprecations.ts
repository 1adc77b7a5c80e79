import type { Operation } from '../src/operation.ts';
import { canonicalCollection } from './canonical-collection.ts';
import type { Document } from './openapi.ts';
import type { Found } from './operations.ts';

/**
 * What answers of a deprecated operation say; nothing for others, and in a document that does not describe the header
 * `Deprecation`. The successor of an older address is the same below the entity's own collection, that of a PUT its own
 * address where that has a PATCH, and elsewhere what `x-successor` names.
 */
export function deprecationOf(document: Document, all: readonly Found[], found: Found): Pick<Operation, 'deprecation'> {
  const header = document.components.headers?.Deprecation?.schema as { readonly const?: unknown } | undefined;
  if (!found.operation.deprecated || typeof header?.const !== 'string') return {};
  const successor = successorOf(document, all, found);
  return { deprecation: { since: header.const, ...(successor && { successor }) } };
}

function successorOf({ paths }: Document, all: readonly Found[], { operation, node }: Found): string | undefined {
  const said = node['x-successor'];
  if (said !== undefined) return said;
  const { entity, path, method } = operation;
  const [, own = '', ...rest] = path.split('/');
  const collection = entity === undefined ? own : canonicalCollection(entity, all);
  const current = ['', collection, ...rest].join('/');
  const item = paths[current];
  if (method === 'put') return item?.patch ? current : undefined;
  return current !== path && item?.[method] ? current : undefined;
}
