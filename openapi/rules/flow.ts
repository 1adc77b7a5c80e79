import { isPair, parseDocument, visit } from 'yaml';
import { isNode } from './place.ts';
import type { Context, Location, Rule } from './redocly.ts';

/**
 * Every entry of a flow mapping (`{ key: value }`) has a value. A text with a comma that is not quoted ends at the comma,
 * and the rest of it becomes a key without a value.
 */
export const flow: Rule = () => {
  const seen = new Set<string>();
  const checkFile = (context: Context, { source }: Location) => {
    if (seen.has(source.absoluteRef)) return;
    seen.add(source.absoluteRef);
    for (const key of keysWithoutValue(source.body))
      context.report({
        message: `\`${key}\` has no value; quote a text that contains a comma.`,
        location: root(source),
      });
  };
  const root = (source: Location['source']) => ({ source, pointer: '#/' }) as Location;
  return {
    Root: (_, context) => checkFile(context, context.location),
    ref: (node, context) => {
      const { location } = context.resolve(node);
      if (location && isNode(node)) checkFile(context, location);
    },
  };
};

function keysWithoutValue(text: string): string[] {
  const found: string[] = [];
  visit(parseDocument(text), {
    Map(_, { flow: isFlow, items }) {
      if (isFlow)
        found.push(...items.flatMap((item) => (isPair(item) && item.value === null ? [String(item.key)] : [])));
    },
  });
  return found;
}
