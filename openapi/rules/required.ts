import type { Rule } from './redocly.ts';
import { isCondition, propertiesOf, requiredOf } from './schema.ts';

/** A schema declares its required properties itself or in a part of its `allOf`. */
export const required: Rule = () => ({
  Schema(node, context) {
    const { location, report } = context;
    if (isCondition(location) || location.pointer.includes('/allOf/')) return;
    const declared = propertiesOf(context, { node, location });
    for (const name of requiredOf(context, { node, location }))
      if (!declared.has(name)) report({ message: `\`${name}\` is required but not declared.`, location });
  },
});
