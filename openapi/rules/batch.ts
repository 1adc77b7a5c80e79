import { eachOperation } from './operations.ts';
import { go, responseName } from './place.ts';
import type { Rule } from './redocly.ts';

const PARAMETERS = ['Idempotency-Key', 'Prefer'];

/** `POST /{plural}/batch` accepts `<Entity>Batch` and returns the outcome of each item, known or not. */
export const batch: Rule = () =>
  eachOperation((operation, context) => {
    const { path, method, parameters, report, at } = operation;
    if (!path.endsWith('/batch')) return;
    if (method !== 'post') report('a batch must be a POST.');
    const reference = go(context, at, 'requestBody', 'content', 'application/json')?.node.schema;
    const taken =
      String((reference as { $ref?: string } | undefined)?.$ref ?? '')
        .split('/')
        .at(-1) ?? '';
    if (!taken.endsWith('Batch')) report('the body of a batch must be `…Batch`.', 'requestBody');
    for (const status of ['200', '202'])
      if (responseName(context, at, status) !== `${taken}Response`)
        report(`a batch must return ${status} with \`…BatchResponse\`.`, 'responses');
    for (const name of PARAMETERS.filter((each) => !parameters.includes(each)))
      report(`a batch must accept \`${name}\`.`, 'parameters');
  });
