import { type Entity, type Field, ServiceError } from '@unified/contract';
import { invalidCursor } from '../../access/invalid-cursor.ts';
import { type Scope, sessionOf } from '../../access/scope.ts';
import { isDataError } from '../../sql/failures.ts';
import type { Parameter } from '../../sql/parameter.ts';
import type { Session } from '../../sql/session.ts';
import { type Condition, conditionValue } from './condition.ts';
import { isReadable, type Position, readCursor, writeCursor } from './cursor.ts';
import { countStatement, type ListShape, listStatement, type ShapedStatement } from './list-statement.ts';
import { type SortKey, sortKeys } from './sort-key.ts';

export interface PageQuery {
  readonly conditions: readonly Condition[];
  /** Ties are broken by the id; empty: in the order in which the records were first seen. */
  readonly sort: readonly { readonly field: Field; readonly descending: boolean }[];
  readonly limit: number;
  readonly offset?: number;
  /** `nextCursor` of the page before, instead of `offset`. */
  readonly cursor?: string;
  readonly withTotal?: boolean;
}

export interface PageResult {
  /** The records as JSON, joined with commas. */
  readonly docs: string;
  readonly count: number;
  readonly hasMore: boolean;
  /** Null on the last page. */
  readonly nextCursor: string | null;
  /** All matching records; only with `withTotal`. */
  readonly total?: number;
}

/**
 * One page of an entity's records, without those that were deleted. Reads one row more than requested, to know whether
 * others follow. Throws SERVICE_INVALID_FILTER, SERVICE_INVALID_SORT or SERVICE_INVALID_CURSOR.
 */
export async function page(scope: Scope, entity: Entity, query: PageQuery): Promise<PageResult> {
  const keys = sortKeys(entity, query.sort);
  const position = query.cursor === undefined ? null : readCursor(query.cursor, entity, keys);
  const { conditions, limit } = query;
  const shape: ListShape = { entity, conditions, keys, position, hasOffset: Boolean(query.offset), limit: limit + 1 };
  const values = [scope.connectionId, ...conditions.map(conditionValue), ...(position ?? []), query.offset ?? 0];
  const session = sessionOf(scope);
  const rows = await read(session, shape, listStatement(shape), values);
  const hasMore = rows.length > limit;
  if (hasMore) rows.pop();
  const nextCursor = hasMore ? writeCursor(entity, keys, positionOf(rows.at(-1), keys)) : null;
  const result = { docs: rows.map((row) => row[0]).join(','), count: rows.length, hasMore, nextCursor };
  if (!query.withTotal) return result;
  const [counted] = await read(session, shape, countStatement(shape), values);
  return { ...result, total: Number(counted?.[0]) };
}

/** Sort keys follow the document in a row. */
function positionOf(row: readonly (string | null)[] | undefined, keys: readonly SortKey[]): Position {
  return keys.map((_, index) => row?.[index + 1] ?? null);
}

async function read(
  session: Session,
  { keys, position }: ListShape,
  statement: ShapedStatement,
  values: readonly Parameter[],
) {
  try {
    return await session.texts(
      statement,
      statement.slots.map((slot) => values[slot] ?? null),
    );
  } catch (error) {
    if (!isDataError(error)) throw error;
    if (position !== null && !(await isReadable(session, keys, position))) throw invalidCursor();
    throw new ServiceError('SERVICE_INVALID_FILTER', `A value of the filter is not valid: ${error.message}.`, {
      cause: error,
    });
  }
}
