import { eachOperation } from './operations.ts';
import { go } from './place.ts';
import type { Rule } from './redocly.ts';

/** Every body has an example, which tests send. */
export const examples: Rule = () =>
  eachOperation(({ at, report }, context) => {
    const content = go(context, at, 'requestBody', 'content');
    for (const type of Object.keys(content?.node ?? {})) {
      const media = go(context, content, type)?.node ?? {};
      if (!('example' in media) && !('examples' in media)) report(`the body has no example (${type}).`, 'requestBody');
    }
  });
