import { type Entity, type Field, type FieldKind, ServiceError } from '@unified/contract';
import type { Condition, PageQuery } from '@unified/store';
import { quoted, requestError, unlistedError } from '../request-error.ts';
import { type FilterLimits, parseFilter } from './filter.ts';
import type { QueryString } from './query-string.ts';
import { parseShape, type RecordShape, type ShapeParameters } from './record-shape.ts';
import { parseTimestamp, TIMESTAMP_ADVICE } from './timestamp.ts';

/** The parameters of a list after the check against the document. */
export interface ListParameters extends PagingParameters, ShapeParameters {
  readonly sort?: string;
  readonly modified_after?: string;
  readonly with_total: boolean;
}

/** A parsed list request. */
export interface ListQuery {
  readonly query: PageQuery;
  readonly paging: Paging;
  readonly shape: RecordShape;
}

/** Reads the parameters of a list of `entity`. Throws the `SERVICE_INVALID_…` error of an invalid parameter. */
export function parseListQuery(
  entity: Entity,
  parameters: ListParameters,
  sent: QueryString,
  limits: FilterLimits,
): ListQuery {
  const paging = parsePaging(parameters, sent.parameters.page !== undefined);
  const query: PageQuery = {
    conditions: [...parseFilter(entity, sent.filter, limits), ...parseModifiedAfter(entity, parameters.modified_after)],
    sort: parseSort(entity, parameters.sort),
    limit: paging.limit,
    ...(paging.cursor === null ? { offset: ((paging.page ?? 1) - 1) * paging.limit } : { cursor: paging.cursor }),
    withTotal: parameters.with_total,
  };
  return { query, paging, shape: parseShape(entity, parameters, limits.narrow) };
}

/** The requested part of a list: a numbered page, or the records after a cursor. */
export interface Paging {
  readonly limit: number;
  /** Null when the list is read by cursor. */
  readonly page: number | null;
  readonly cursor: string | null;
}

/** The parameters after the check, with numbers and defaults. */
interface PagingParameters {
  readonly page: number;
  readonly per_page: number;
  readonly cursor?: string;
}

/** Reads `page`, `per_page` and `cursor`. Throws `SERVICE_INVALID_PARAMETER` if both a page and a cursor were sent. */
function parsePaging({ page, per_page, cursor }: PagingParameters, pageWasSent: boolean): Paging {
  if (cursor === undefined) return { limit: per_page, page, cursor: null };
  if (!pageWasSent) return { limit: per_page, page: null, cursor };
  const message = 'page and cursor are mutually exclusive. Send one of them.';
  throw new ServiceError('SERVICE_INVALID_PARAMETER', message, { details: [{ path: 'query/cursor', message }] });
}

/** The condition for `modified_after`, if any. Throws `SERVICE_INVALID_PARAMETER` if it is not a day of the calendar. */
function parseModifiedAfter(entity: Entity, text: string | undefined): Condition[] {
  const field = entity.field._updatedAt;
  if (text === undefined || field === undefined) return [];
  const value = parseTimestamp(text);
  if (value !== undefined) return [{ field, operator: 'gt', value }];
  throw requestError(
    'SERVICE_INVALID_PARAMETER',
    'query/modified_after',
    `The day does not exist. ${TIMESTAMP_ADVICE}`,
  );
}

const SORTABLE = new Set<FieldKind>(['text', 'number', 'integer', 'boolean', 'date', 'datetime', 'enum']);
const MOST_SORT_FIELDS = 5;

/** Order of a list, read from `sort=-_updatedAt,code`. Throws `SERVICE_INVALID_SORT` with the fields that can be used. */
export function parseSort(entity: Entity, text: string | undefined): PageQuery['sort'] {
  if (text === undefined) return [];
  const terms = text.split(',').map((term) => {
    const descending = term.startsWith('-');
    return { field: sortFieldOf(entity, descending ? term.slice(1) : term), descending };
  });
  if (terms.length > MOST_SORT_FIELDS) throw refusedSort(entity, `Sort by at most ${MOST_SORT_FIELDS} fields.`);
  if (new Set(terms.map(({ field }) => field.name)).size < terms.length) {
    throw refusedSort(entity, 'Name each field once.');
  }
  return terms;
}

function sortFieldOf(entity: Entity, name: string): Field {
  const field = Object.hasOwn(entity.field, name) ? entity.field[name] : undefined;
  if (field && SORTABLE.has(field.kind)) return field;
  throw refusedSort(entity, `${entity.name} cannot be sorted by ${quoted(name)}.`, name);
}

function refusedSort(entity: Entity, reason: string, name = ''): ServiceError {
  const allowed = entity.fields.filter((field) => SORTABLE.has(field.kind)).map((field) => field.name);
  return unlistedError('SERVICE_INVALID_SORT', 'sort', reason, { sent: name, allowed });
}
