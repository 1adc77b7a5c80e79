import { eachOperation, type Operation } from './operations.ts';
import { go } from './place.ts';
import type { Context, Rule } from './redocly.ts';

const HEADERS = ['Write-Id', 'Write-Warnings'];

/**
 * Every write and action accepts an idempotency key, and its responses name the write record; on a record, it also accepts
 * `Prefer` and `dryRun`. An operation that changes no record (`/sync`) is not a write.
 */
export const write: Rule = () =>
  eachOperation((operation, context) => {
    const { surface, method, shape, entity, parameters, report } = operation;
    if (surface !== 'data' || method === 'get' || (entity === undefined && shape !== 'action')) return;
    for (const name of expected(operation).filter((each) => !parameters.includes(each)))
      report(`a write must accept \`${name}\`.`, 'parameters');
    // The items of a batch name their write records themselves.
    if (!operation.path.endsWith('/batch')) checkHeaders(operation, context);
  });

function expected({ shape, entity }: Operation): readonly string[] {
  const onRecord = entity !== undefined && (shape === 'collection' || shape === 'item');
  return onRecord ? ['Idempotency-Key', 'Prefer', 'dryRun'] : ['Idempotency-Key'];
}

function checkHeaders({ at, report, successes }: Operation, context: Context): void {
  for (const status of successes)
    for (const header of HEADERS.filter((name) => !go(context, at, 'responses', status, 'headers', name)))
      report(`${status} of a write must have the header \`${header}\`.`, 'responses');
}
