import { isNode } from './place.ts';
import type { Node, Rule } from './redocly.ts';
import { isCondition } from './schema.ts';

/** Keywords from which client generators derive the type of a branch. */
const TYPED = ['$ref', 'type', 'enum', 'const', 'allOf', 'anyOf', 'oneOf'];

/**
 * Each branch of `anyOf` and `oneOf` has a type, even if the type is next to the choice: client generators create a type
 * for each branch, and an untyped one accepts any value.
 */
export const branches: Rule = () => ({
  Schema(node: Node, { location, report }) {
    if (isCondition(location)) return;
    for (const keyword of ['anyOf', 'oneOf'])
      for (const [index, branch] of listOf(node[keyword]).entries())
        if (!TYPED.some((each) => branch[each] !== undefined))
          report({ message: 'This branch has no `type`.', location: location.child([keyword, index]) });
  },
});

function listOf(value: unknown): readonly Node[] {
  return Array.isArray(value) ? value.filter(isNode) : [];
}
