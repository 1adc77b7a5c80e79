import { isNode } from './place.ts';
import type { Context, Node, Rule } from './redocly.ts';

/** `x-tagGroups` puts every tag into one group, and names no tag that does not exist. */
export const tags: Rule = () => ({
  Root(root, { report, location }: Context) {
    const declared = list(root.tags).map(({ name }) => name);
    const groups = list(root['x-tagGroups']);
    const grouped = groups.flatMap(namesOf);
    for (const [index, name] of declared.entries()) {
      const at = { location: location.child(['tags', index]) };
      const count = grouped.filter((each) => each === name).length;
      if (count === 0) report({ message: `\`${name}\` is in no group of \`x-tagGroups\`.`, ...at });
      if (count > 1) report({ message: `\`${name}\` is in \`x-tagGroups\` more than once.`, ...at });
    }
    for (const [index, group] of groups.entries())
      for (const name of namesOf(group).filter((each) => !declared.includes(each)))
        report({ message: `\`${name}\` is not a tag.`, location: location.child(['x-tagGroups', index]) });
  },
});

function list(value: unknown): readonly Node[] {
  return Array.isArray(value) ? value.filter(isNode) : [];
}

function namesOf(group: Node): readonly unknown[] {
  return Array.isArray(group.tags) ? group.tags : [];
}
