import { type Entity, type Field, ServiceError } from '@unified/contract';
import { invalidCursor } from '../../access/invalid-cursor.ts';
import { type Scope, sessionOf } from '../../access/scope.ts';
import { stateOf, stateStatement } from '../../changes/records-state.ts';
import { isDataError } from '../../sql/failures.ts';
import type { Parameter } from '../../sql/parameter.ts';
import type { Session } from '../../sql/session.ts';
import type { ByteBudget } from '../../sql/statement.ts';
import type { Condition } from './condition.ts';
import { type Position, readCursor, type SortKey, sortKeys, writeCursor } from './keyset.ts';
import { type ListShape, listValues } from './list-shape.ts';
import { countStatement, listStatement, type ShapedStatement } from './list-statement.ts';

export interface PageQuery {
  readonly conditions: readonly Condition[];
  /** Ties are broken by the id; empty: in the order in which the records were first seen. */
  readonly sort: readonly { readonly field: Field; readonly descending: boolean }[];
  readonly limit: number;
  readonly offset?: number;
  /** `nextCursor` of the previous page, instead of `offset`. */
  readonly cursor?: string;
  readonly withTotal?: boolean;
}

export interface PageResult {
  /** The records as JSON. */
  readonly docs: readonly string[];
  readonly count: number;
  /** The state of the connection's records that the page contains, or an earlier one. */
  readonly state: string;
  /** Whether the page ends early because further records exceed the budget. */
  readonly isCut: boolean;
  readonly hasMore: boolean;
  /** Null on the last page. */
  readonly nextCursor: string | null;
  /** The cursor of a page that ends earlier, after this number of its records. */
  readonly cursorAfter: (count: number) => string;
  /** All matching records; only with `withTotal`. */
  readonly total?: number;
}

/**
 * One page of an entity's records, without those that were deleted. Reads one row more than requested, to know whether
 * others follow. If its records exceed the budget, it ends early, after at least one. Throws SERVICE_INVALID_FILTER,
 * SERVICE_INVALID_SORT or SERVICE_INVALID_CURSOR.
 */
export async function page(scope: Scope, entity: Entity, query: PageQuery, budget?: ByteBudget): Promise<PageResult> {
  const keys = sortKeys(entity, query.sort);
  const position = query.cursor === undefined ? null : readCursor(query.cursor, entity, keys);
  const { conditions, limit } = query;
  const shape: ListShape = { entity, conditions, keys, position, hasOffset: Boolean(query.offset), limit: limit + 1 };
  const values = listValues(scope.connectionId, shape, query.offset);
  const { rows, state } = await read(scope, shape, { statement: listStatement(shape), values, budget });
  const hasMore = rows.length > limit || budget?.isExceeded === true;
  if (rows.length > limit) rows.pop();
  const cursorAfter = (count: number) => writeCursor(entity, keys, positionOf(rows[count - 1], keys));
  const nextCursor = hasMore ? cursorAfter(rows.length) : null;
  const isCut = hasMore && rows.length < limit;
  const result = {
    state,
    docs: rows.map(([doc]) => doc ?? ''),
    count: rows.length,
    isCut,
    hasMore,
    nextCursor,
    cursorAfter,
  };
  if (!query.withTotal) return result;
  const total = totalAtEnd(query, result);
  if (total !== undefined) return { ...result, total };
  const counted = await read(scope, shape, { statement: countStatement(shape), values });
  return { ...result, total: Number(counted.rows[0]?.[0]) };
}

/** The total that a last page itself implies; undefined if the records before it are unknown. */
function totalAtEnd({ cursor, offset = 0 }: PageQuery, { count, hasMore }: PageResult): number | undefined {
  if (hasMore || cursor !== undefined) return undefined;
  return offset === 0 || count > 0 ? offset + count : undefined;
}

/** Sort keys follow the document in a row. */
function positionOf(row: readonly (string | null)[] | undefined, keys: readonly SortKey[]): Position {
  return keys.map((_, index) => row?.[index + 1] ?? null);
}

/** A statement of a list. */
interface Prepared {
  readonly statement: ShapedStatement;
  readonly values: readonly Parameter[];
  readonly budget?: ByteBudget | undefined;
}

async function read(scope: Scope, { conditions, keys, position }: ListShape, { statement, values, budget }: Prepared) {
  const session = sessionOf(scope);
  try {
    const given = statement.slots.map((slot) => values[slot] ?? null);
    const { rows, before } = await session.textsAfter(stateStatement(scope), { statement, values: given }, budget);
    return { rows, state: stateOf(before) };
  } catch (error) {
    if (!isDataError(error)) throw error;
    if (position !== null && !(await isReadable(session, keys, position))) throw invalidCursor();
    throw invalidFilter(conditions, error);
  }
}

/** PostgreSQL names neither the condition nor the range of its type, so the message names all candidates. */
function invalidFilter(conditions: readonly Condition[], cause: Error): ServiceError {
  const names = conditions.map(
    ({ field, through, custom, operator }) =>
      `filter[${through ? `${through.relation.name}.` : ''}${field.name}${custom ? `.${custom.name}` : ''}${operator === 'eq' ? '' : `:${operator}`}]`,
  );
  const message = `${names.join(' or ')} has a value that its field cannot have. Send a valid one.`;
  return new ServiceError('SERVICE_INVALID_FILTER', message, { cause });
}

/** Whether PostgreSQL accepts the values of a position; a well-formed one can still be out of range. */
async function isReadable(session: Session, keys: readonly SortKey[], position: Position): Promise<boolean> {
  const casts = keys.map(({ type }, index) => `$${index + 1}::${type}`);
  try {
    await session.runBulk(`select ${casts.join(', ')}`, position);
    return true;
  } catch (error) {
    if (isDataError(error)) return false;
    throw error;
  }
}
