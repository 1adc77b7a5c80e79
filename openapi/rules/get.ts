import { eachOperation } from './operations.ts';
import type { Rule } from './redocly.ts';

const PARAMETERS = ['expand', 'extend', 'fields'];

/** Every get of a record can be expanded and reduced to fields like a list. */
export const get: Rule = () =>
  eachOperation(({ entity, method, shape, parameters, report }) => {
    if (!entity || method !== 'get' || shape !== 'item') return;
    for (const name of PARAMETERS.filter((each) => !parameters.includes(each)))
      report(`a get takes \`${name}\`.`, 'parameters');
  });
