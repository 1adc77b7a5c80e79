import { eachOperation } from './operations.ts';
import { go } from './place.ts';
import type { Rule } from './redocly.ts';

const HEADERS = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];
const LIMITED = ['console', 'data', 'management', 'mcp', 'system'];

/** Every successful response of a limited surface has the headers of the limit. */
export const limits: Rule = () =>
  eachOperation(({ at, surface, successes, report }, context) => {
    if (!LIMITED.includes(surface)) return;
    for (const status of successes)
      for (const header of HEADERS.filter((name) => !go(context, at, 'responses', status, 'headers', name)))
        report(`${status} must have the header \`${header}\`.`, 'responses');
  });
