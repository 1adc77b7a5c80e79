import type { Node, Rule } from './redocly.ts';
import { isCondition, propertiesOf } from './schema.ts';

/**
 * Many languages drop the underscore at the beginning of a name, and some ignore case: no two properties of a schema may
 * differ only in these.
 */
export const propertyNames: Rule = () => ({
  Schema(node: Node, context) {
    const { location, report } = context;
    if (isCondition(location) || location.pointer.includes('/allOf/')) return;
    const names = [...propertiesOf(context, { node, location }).keys()];
    const plain = Object.groupBy(names, (name) => name.replace(/^_+/, '').toLowerCase());
    for (const same of Object.values(plain))
      if (same && same.length > 1)
        report({
          message: `${same.map((name) => `\`${name}\``).join(' and ')} become one name in some languages.`,
          location,
        });
  },
});
