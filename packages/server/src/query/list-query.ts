import type { Entity } from '@unified/contract';
import type { PageQuery } from '@unified/store';
import { type ExpandParameters, type Expansion, parseExpand } from './expand.ts';
import { type FieldSelection, parseFields } from './fields.ts';
import { parseFilter } from './filter.ts';
import { parseModifiedAfter } from './modified-after.ts';
import { type Paging, type PagingParameters, parsePaging } from './paging.ts';
import type { QueryString } from './query-string.ts';
import { parseSort } from './sort.ts';

/** The parameters of a list after the check against the document. */
export interface ListParameters extends PagingParameters, ExpandParameters {
  readonly sort?: string;
  readonly fields?: string;
  readonly modified_after?: string;
  readonly with_total: boolean;
}

/** A list request, understood. */
export interface ListQuery {
  readonly query: PageQuery;
  readonly paging: Paging;
  readonly shape: { readonly expansion: Expansion; readonly fields: FieldSelection };
}

/** Reads the parameters of a list of `entity`. Throws the `SERVICE_INVALID_…` error of the parameter that is wrong. */
export function parseListQuery(entity: Entity, parameters: ListParameters, sent: QueryString): ListQuery {
  const paging = parsePaging(parameters, sent.parameters.page !== undefined);
  const query: PageQuery = {
    conditions: [...parseFilter(entity, sent.filter), ...parseModifiedAfter(entity, parameters.modified_after)],
    sort: parseSort(entity, parameters.sort),
    limit: paging.limit,
    ...(paging.cursor === null ? { offset: ((paging.page ?? 1) - 1) * paging.limit } : { cursor: paging.cursor }),
    withTotal: parameters.with_total,
  };
  const expansion = parseExpand(entity, parameters);
  return { query, paging, shape: { expansion, fields: parseFields(entity, parameters.fields, expansion) } };
}
