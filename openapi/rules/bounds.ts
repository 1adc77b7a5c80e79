import { eachOperation } from './operations.ts';
import { go, isNode, type Place } from './place.ts';
import type { Context, Node, Rule } from './redocly.ts';

/** Formats whose values have a limited length. */
const SHORT_FORMATS = ['date', 'date-time', 'time', 'uuid', 'ipv4', 'ipv6'];
const PARTS = ['allOf', 'anyOf', 'oneOf'] as const;
const INNER = ['items', 'additionalProperties'] as const;

/** Everything in a request is limited: strings and lists declare their maximum length, in shared schemas as well. */
export const bounds: Rule = () => {
  const seen = new Set<string>();
  return eachOperation(({ at }, context) => {
    for (const type of Object.keys(go(context, at, 'requestBody', 'content')?.node ?? {}))
      check(go(context, at, 'requestBody', 'content', type, 'schema'), type, context, seen);
  });
};

/** Checks a schema and everything in it; `name` is its name in the message. */
function check(schema: Place | undefined, name: string, context: Context, seen: Set<string>): void {
  if (!schema) return;
  const { node, location } = schema;
  const place = `${location.source.absoluteRef}${location.pointer}`;
  if (seen.has(place)) return;
  seen.add(place);
  if (isType(node, 'string') && !isShort(node))
    context.report({ message: `\`${name}\` has no \`maxLength\`.`, location });
  if (isType(node, 'array') && !('maxItems' in node))
    context.report({ message: `\`${name}\` has no \`maxItems\`.`, location });
  for (const part of PARTS)
    for (const index of Array.isArray(node[part]) ? node[part].keys() : [])
      check(go(context, schema, part, index), name, context, seen);
  for (const inner of INNER) check(go(context, schema, inner), `items of ${name}`, context, seen);
  for (const property of Object.keys(isNode(node.properties) ? node.properties : {}))
    check(go(context, schema, 'properties', property), property, context, seen);
}

function isType({ type }: Node, wanted: string): boolean {
  return Array.isArray(type) ? type.includes(wanted) : type === wanted;
}

function isShort(node: Node): boolean {
  if ('maxLength' in node || 'enum' in node || 'const' in node) return true;
  return (
    SHORT_FORMATS.includes(String(node.format)) || (typeof node.pattern === 'string' && endsSomewhere(node.pattern))
  );
}

/** Whether a pattern is anchored at both ends and has no unlimited repetition. */
function endsSomewhere(pattern: string): boolean {
  const plain = pattern.replaceAll(/\\./g, '').replaceAll(/\[[^\]]*\]/g, 'x');
  return /^\^[^|]*\$$/.test(plain) && !/[*+]|\{\d*,\}/.test(plain);
}
