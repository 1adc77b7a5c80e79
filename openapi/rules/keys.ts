import { shapeOf } from '../../packages/contract/generate/conventions.ts';
import { isNode } from './place.ts';
import type { Rule } from './redocly.ts';
import { pascal } from './words.ts';

/**
 * The root names one path per line, and the key in the entity's file names the form of the path: `collection`, `item`,
 * or the name of the action. For an older address in the same file, the key has a prefix: `bomsCollection`.
 */
export const keys: Rule = () => ({
  Paths(paths, { report, location }) {
    for (const [path, item] of Object.entries(paths)) {
      const reference = isNode(item) ? item.$ref : undefined;
      const at = { location: location.child([path]).key() };
      if (typeof reference !== 'string') {
        report({ message: `${path}: the root must refer to the file of the entity.`, ...at });
        continue;
      }
      const { shape, action } = shapeOf(path);
      const key = reference.slice(reference.lastIndexOf('/') + 1);
      const expected = pascal(shape === 'action' ? action : shape);
      if (shape === 'other' || pascal(key).endsWith(expected)) continue;
      report({ message: `${path}: the key of this path must end with \`${expected}\`, not \`${key}\`.`, ...at });
    }
  },
});
