import { METHODS } from '../../packages/contract/generate/conventions.ts';
import { go } from './place.ts';
import type { Rule } from './redocly.ts';

const CODE = /^SERVICE_/;

/**
 * `x-planned` lists operations and webhooks of the document, each once, so it cannot become outdated. Codes are checked with
 * their table.
 */
export const planned: Rule = () => ({
  Root(root, context) {
    const place = { node: root, location: context.location };
    const idsIn = (part: 'paths' | 'webhooks') =>
      Object.keys(go(context, place, part)?.node ?? {}).flatMap((name) => {
        const item = go(context, go(context, place, part), name);
        return METHODS.map((method) => go(context, item, method)?.node.operationId);
      });
    const ids = [...idsIn('paths'), ...idsIn('webhooks')];
    const listed: readonly unknown[] = Array.isArray(root['x-planned']) ? root['x-planned'] : [];
    const location = context.location.child(['x-planned']);
    for (const [index, id] of listed.entries()) {
      if (!ids.includes(id) && !CODE.test(String(id)))
        context.report({ message: `there is no operation \`${id}\`.`, location });
      if (listed.indexOf(id) !== index) context.report({ message: `\`${id}\` is listed twice.`, location });
    }
  },
});
