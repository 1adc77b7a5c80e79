import { METHODS } from '../../packages/contract/generate/conventions.ts';
import { go } from './place.ts';
import type { Rule } from './redocly.ts';

const CODE = /^SERVICE_/;

/**
 * `x-planned` lists operations of the document, each once, so it cannot become outdated. Codes are checked with their table.
 */
export const planned: Rule = () => {
  let listed: readonly unknown[] = [];
  return {
    Root(root) {
      listed = Array.isArray(root['x-planned']) ? root['x-planned'] : [];
    },
    Paths(paths, context) {
      const { location } = context;
      const root = { node: paths, location };
      const ids = Object.keys(paths).flatMap((path) =>
        METHODS.map((method) => go(context, go(context, root, path), method)?.node.operationId),
      );
      for (const [index, id] of listed.entries()) {
        if (!ids.includes(id) && !CODE.test(String(id)))
          context.report({ message: `x-planned: there is no operation \`${id}\`.`, location });
        if (listed.indexOf(id) !== index)
          context.report({ message: `x-planned: \`${id}\` is listed twice.`, location });
      }
    },
  };
};
