import { isNode } from './place.ts';
import type { Node, Rule } from './redocly.ts';

/**
 * A parameter has one type, limited by a pattern if needed: some client generators create a class for a choice of texts
 * that does not compile.
 */
export const parameters: Rule = () => ({
  Parameter({ name, schema }: Node, { location, report, resolve }) {
    const found = isNode(schema) ? (resolve(schema).node ?? schema) : undefined;
    if (!isNode(found)) return;
    for (const keyword of ['anyOf', 'oneOf'].filter((each) => each in found))
      report({
        message: `\`${name}\` has \`${keyword}\`: describe it by one type.`,
        location: location.child(['schema']),
      });
  },
});
