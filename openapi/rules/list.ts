import { eachOperation } from './operations.ts';
import { responseName } from './place.ts';
import type { Rule } from './redocly.ts';

const PARAMETERS = [
  'page',
  'per_page',
  'cursor',
  'sort',
  'filter',
  'expand',
  'extend',
  'fields',
  'modified_after',
  'with_total',
];

/** Every list of an entity has the same parameters for paging, sorting, filtering, expansion and fields, and returns a page. */
export const list: Rule = () =>
  eachOperation((operation, context) => {
    if (operation.surface !== 'data' || operation.method !== 'get' || operation.shape !== 'collection') return;
    const { entity, parameters, report } = operation;
    const response = responseName(context, operation.at, '200');
    if (operation.id.startsWith('list') && !response?.endsWith('Page'))
      report('a list must return a `…Page`.', 'responses');
    if (!entity) return;
    const page = `${entity.name}Page`;
    if (response !== page) report(`the list of this collection must return \`${page}\`.`, 'responses');
    for (const name of PARAMETERS.filter((each) => !parameters.includes(each)))
      report(`a list must accept \`${name}\`.`, 'parameters');
  });
