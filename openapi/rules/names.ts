import { eachOperation, type Operation } from './operations.ts';
import type { Rule } from './redocly.ts';
import { pascal, singular } from './words.ts';

const SEGMENT = /^(?:[a-z0-9]+(?:-[a-z0-9]+)*|\{[a-z][a-zA-Z0-9]*\})$/;
const VERBS = { get: 'get', patch: 'update', put: 'replace', delete: 'delete', post: 'create' } as const;

/**
 * Paths are kebab-case and begin with a plural; the name of an operation on records consists of the verb and the noun of its
 * path.
 */
export const names: Rule = () =>
  eachOperation((operation) => {
    const { id, path, surface, entity, report, collection, at } = operation;
    if (at.node.operationId === undefined) report('an operation must have an `operationId`.');
    else if (!/^[a-z]+[a-zA-Z0-9]*$/.test(id)) report('an `operationId` must be camelCase.', 'operationId');
    // Paths outside the data surface are partly given by standards and earlier releases.
    if (surface !== 'data') return;
    for (const segment of path
      .slice(1)
      .split('/')
      .filter((each) => !SEGMENT.test(each)))
      report(`\`${segment}\` is not kebab-case.`);
    if (!entity) return;
    if (singular(collection) === collection) report(`\`${collection}\` is not plural.`);
    const expected = expectedId(operation);
    if (expected && id !== expected) report(`the name for this path must be \`${expected}\`.`, 'operationId');
  });

function expectedId({ shape, method, collection, action }: Operation): string | undefined {
  const noun = pascal(singular(collection));
  if (shape === 'collection' && method === 'get') return `list${pascal(collection)}`;
  if (shape === 'collection' && method === 'post') return `create${noun}`;
  if (shape === 'item') return VERBS[method] + noun;
  if (shape !== 'action') return undefined;
  const [verb = '', ...rest] = action.split('-');
  return verb + noun + pascal(rest.join('-'));
}
