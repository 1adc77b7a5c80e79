import { eachOperation, type Operation } from './operations.ts';
import type { Rule } from './redocly.ts';

/**
 * Every write and action can be repeated without harm; one on a record can also be waited for and tried without effect.
 * What changes no record (`/sync`) is no write.
 */
export const write: Rule = () =>
  eachOperation((operation) => {
    if (operation.surface !== 'data' || operation.method === 'get') return;
    for (const name of expected(operation).filter((each) => !operation.parameters.includes(each)))
      operation.report(`a write takes \`${name}\`.`, 'parameters');
  });

function expected({ shape, entity }: Operation): readonly string[] {
  if (entity === undefined && shape !== 'action') return [];
  const onRecord = entity !== undefined && (shape === 'collection' || shape === 'item');
  return onRecord ? ['Idempotency-Key', 'Prefer', 'dryRun'] : ['Idempotency-Key'];
}
