import { eachOperation, type Operation } from './operations.ts';
import { go } from './place.ts';
import type { Context, Rule } from './redocly.ts';

const PARAMETERS = ['expand', 'extend', 'fields'];

const HEADERS_OF_WRITES = ['Write-Id', 'Write-Warnings', 'Idempotency-Replayed', 'Preference-Applied'];

/** Every get of a record accepts the parameters for expansion and fields, like a list. No get describes headers of writes. */
export const get: Rule = () =>
  eachOperation((operation, context) => {
    const { entity, method, shape, parameters, report } = operation;
    if (!entity || method !== 'get' || (shape !== 'item' && shape !== 'collection')) return;
    checkHeaders(operation, context);
    if (shape !== 'item') return;
    for (const name of PARAMETERS.filter((each) => !parameters.includes(each)))
      report(`a get must accept \`${name}\`.`, 'parameters');
  });

function checkHeaders({ at, report, successes }: Operation, context: Context): void {
  for (const status of successes)
    for (const header of HEADERS_OF_WRITES.filter((name) => go(context, at, 'responses', status, 'headers', name)))
      report(`${status} of a get must not have the header \`${header}\`, which belongs to writes.`, 'responses');
}
