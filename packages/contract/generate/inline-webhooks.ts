import { resolve } from '../src/component-references.ts';
import type { Document } from './openapi.ts';

const REFERENCE = /"(#\/components\/[^"]+)"/g;

/**
 * The document in which webhooks contain inline the components that no operation refers to. A generator for Go drops components
 * that are not reachable from `paths`, and then refers to types that do not exist.
 */
export function inlineWebhooks(document: Document): Document {
  const { webhooks } = document;
  if (!webhooks) return document;
  const reached = reachedFrom(document, [document.paths]);
  const inlined = inline(document, webhooks, reached) as NonNullable<Document['webhooks']>;
  const kept = Object.entries(document.components).map(([kind, entries]) => [
    kind,
    Object.fromEntries(
      Object.entries(entries).filter(
        ([name]) => kind === 'securitySchemes' || reached.has(`#/components/${kind}/${name}`),
      ),
    ),
  ]);
  return { ...document, webhooks: inlined, components: Object.fromEntries(kept) };
}

/** References to components in these nodes, and in the components that they refer to. */
function reachedFrom(document: Document, nodes: readonly unknown[]): ReadonlySet<string> {
  const reached = new Set<string>();
  const waiting = nodes.flatMap(referencesIn);
  for (let $ref = waiting.pop(); $ref; $ref = waiting.pop()) {
    if (reached.has($ref)) continue;
    reached.add($ref);
    waiting.push(...referencesIn(resolve<object>(document, { $ref })));
  }
  return reached;
}

function referencesIn(node: unknown): string[] {
  return Array.from(JSON.stringify(node).matchAll(REFERENCE), ([, reference = '']) => reference);
}

function inline(document: Document, node: unknown, reached: ReadonlySet<string>): unknown {
  if (Array.isArray(node)) return node.map((each) => inline(document, each, reached));
  if (typeof node !== 'object' || node === null) return node;
  if ('$ref' in node && typeof node.$ref === 'string' && !reached.has(node.$ref))
    return inline(document, resolve<object>(document, node), reached);
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, inline(document, value, reached)]));
}
