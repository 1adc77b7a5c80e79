import { eachOperation } from './operations.ts';
import { isNode } from './place.ts';
import type { Rule } from './redocly.ts';

const SHARED = /shared\/responses\.yaml#\/(\w+)$/;

/** Every operation describes all its errors by `default`, with the shared response; OAuth has its own. */
export const errors: Rule = () =>
  eachOperation(({ at, surface, report }) => {
    const responses = isNode(at.node.responses) ? at.node.responses : {};
    const expected = surface === 'oauth' ? ['Error', 'OAuthFailure'] : ['Error'];
    if (!expected.includes(sharedName(responses.default) ?? ''))
      report(`\`default\` must be the shared \`${expected.join('` or `')}\`.`, 'responses');
    for (const status of Object.keys(responses).filter((each) => /^[45]/.test(each)))
      if (sharedName(responses[status]) === undefined)
        report(`${status} must be described by a shared response.`, 'responses');
  });

function sharedName(response: unknown): string | undefined {
  return isNode(response) ? SHARED.exec(String(response.$ref))?.[1] : undefined;
}
