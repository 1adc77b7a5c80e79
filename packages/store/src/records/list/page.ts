import { type Entity, type Field, ServiceError } from '@unified/contract';
import { invalidCursor } from '../../access/invalid-cursor.ts';
import { type Scope, sessionOf } from '../../access/scope.ts';
import { stateOf, stateStatement } from '../../changes/records-state.ts';
import { isDataError } from '../../sql/failures.ts';
import type { Parameter } from '../../sql/parameter.ts';
import type { Session } from '../../sql/session.ts';
import type { BoundStatement, ByteBudget } from '../../sql/statement.ts';
import type { Condition } from './condition.ts';
import { type Position, readCursor, type SortKey, sortKeys, writeCursor } from './keyset.ts';
import { type ListShape, listValues } from './list-shape.ts';
import { countStatement, listStatement, type ShapedStatement } from './list-statement.ts';

export interface PageQuery {
  readonly conditions: readonly Condition[];
  /** Ties are broken by the id. If empty, records are in the order in which they were first seen. */
  readonly sort: readonly { readonly field: Field; readonly descending: boolean }[];
  readonly limit: number;
  readonly offset?: number;
  /** `nextCursor` of the previous page, instead of `offset`. */
  readonly cursor?: string;
  readonly withTotal?: boolean;
}

interface PageFacts {
  readonly count: number;
  /** The state of the connection's records when the page was read, or an earlier one. */
  readonly state: string;
  /** Whether the page ends early because further records exceed the budget. */
  readonly isCut: boolean;
  readonly hasMore: boolean;
  /** Null on the last page. */
  readonly nextCursor: string | null;
  /** Number of all matching records; only with `withTotal`. */
  readonly total?: number;
}

export interface PageResult extends PageFacts {
  /** The records as JSON. */
  readonly docs: readonly string[];
  /** The cursor for a page that ends earlier, after this number of its records. */
  readonly cursorAfter: (count: number) => string;
}

export interface JoinedPage extends PageFacts {
  /** The records as JSON, separated by commas; as UTF-8 bytes if they are large. */
  readonly joined: string | Uint8Array<ArrayBuffer>;
  /** Length of the records in UTF-8. */
  readonly bytes: number;
}

/**
 * One page of an entity's records, without those that were deleted. Reads one row more than requested, to detect whether others
 * follow. If its records exceed the budget, it ends early, after at least one. Throws SERVICE_INVALID_FILTER,
 * SERVICE_INVALID_SORT or SERVICE_INVALID_CURSOR.
 */
export async function page(scope: Scope, entity: Entity, query: PageQuery, budget?: ByteBudget): Promise<PageResult> {
  const list = listOf(scope, entity, query);
  const found = sessionOf(scope).textsAfter(stateStatement(scope), boundBy(list, listStatement), budget);
  const { rows, before } = await found.catch((error) => refuse(list, error));
  const hasMore = rows.length > query.limit || budget?.isExceeded === true;
  if (rows.length > query.limit) rows.pop();
  // Sort keys follow the document in a row.
  const cursorAfter = (count: number) => writeCursor(entity, list.shape.keys, rows[count - 1]?.slice(1) ?? []);
  const facts = await factsOf(list, {
    count: rows.length,
    hasMore,
    before,
    cursorAfter: () => cursorAfter(rows.length),
  });
  return { ...facts, docs: rows.map(([doc]) => doc ?? ''), cursorAfter };
}

/** Like `page`, for records that are sent as they are stored: twice as fast. */
export async function joinedPage(
  scope: Scope,
  entity: Entity,
  query: PageQuery,
  budget?: ByteBudget,
): Promise<JoinedPage> {
  const list = listOf(scope, entity, query);
  const limits = { most: query.limit, budget };
  const found = sessionOf(scope).documentsAfter(stateStatement(scope), boundBy(list, listStatement), limits);
  const { documents, before } = await found.catch((error) => refuse(list, error));
  const { count, json: joined, bytes } = documents;
  const hasMore = documents.hasMore || budget?.isExceeded === true;
  const cursorAfter = () => writeCursor(entity, list.shape.keys, documents.lastKeys);
  return { ...(await factsOf(list, { count, hasMore, before, cursorAfter })), joined, bytes };
}

/** A list that is to be read. */
interface List {
  readonly scope: Scope;
  readonly query: PageQuery;
  readonly shape: ListShape;
  readonly values: readonly Parameter[];
}

function listOf(scope: Scope, entity: Entity, query: PageQuery): List {
  const shape = shapeOf(entity, query);
  return { scope, query, shape, values: listValues(scope.connectionId, shape, query.offset) };
}

/** The shapes of queries that are used again: requests with the same address share their query. */
const shapes = new WeakMap<PageQuery, ListShape>();

function shapeOf(entity: Entity, query: PageQuery): ListShape {
  const known = shapes.get(query);
  if (known?.entity === entity) return known;
  const keys = sortKeys(entity, query.sort);
  const position = query.cursor === undefined ? null : readCursor(query.cursor, entity, keys);
  const { conditions, limit } = query;
  const shape: ListShape = { entity, conditions, keys, position, hasOffset: Boolean(query.offset), limit: limit + 1 };
  shapes.set(query, shape);
  return shape;
}

interface Found {
  readonly count: number;
  readonly hasMore: boolean;
  /** What the preceding statement returned. */
  readonly before: string | null;
  /** The cursor of the last record. */
  cursorAfter(): string;
}

async function factsOf(list: List, { count, hasMore, before, cursorAfter }: Found): Promise<PageFacts> {
  const { query } = list;
  const facts = {
    state: stateOf(before),
    count,
    isCut: hasMore && count < query.limit,
    hasMore,
    nextCursor: hasMore ? cursorAfter() : null,
  };
  if (!query.withTotal) return facts;
  return { ...facts, total: totalAtEnd(query, facts) ?? (await countOf(list)) };
}

/** The total, if it follows from a last page; undefined if the number of records before it is unknown. */
function totalAtEnd({ cursor, offset = 0 }: PageQuery, { count, hasMore }: PageFacts): number | undefined {
  if (hasMore || cursor !== undefined) return undefined;
  return offset === 0 || count > 0 ? offset + count : undefined;
}

async function countOf(list: List): Promise<number> {
  const { statement, values } = boundBy(list, countStatement);
  const found = sessionOf(list.scope).texts(statement, values);
  const [row] = await found.catch((error) => refuse(list, error));
  return Number(row?.[0]);
}

/** A statement of a list, with the values of its parameters. */
function boundBy({ shape, values }: List, statementOf: (shape: ListShape) => ShapedStatement): BoundStatement {
  const statement = statementOf(shape);
  return { statement, values: statement.slots.map((slot) => values[slot] ?? null) };
}

/** Throws the error; if PostgreSQL refused a value, throws the error for the cursor or filter that contains it. */
async function refuse({ scope, shape }: List, error: unknown): Promise<never> {
  const { conditions, keys, position } = shape;
  if (!isDataError(error)) throw error;
  if (position !== null && !(await isReadable(sessionOf(scope), keys, position))) throw invalidCursor();
  throw invalidFilter(conditions, error);
}

/** PostgreSQL names neither the condition nor the type whose range was exceeded, so the message names all candidates. */
function invalidFilter(conditions: readonly Condition[], cause: Error): ServiceError {
  const names = conditions.map(
    ({ field, through, custom, operator }) =>
      `filter[${through ? `${through.relation.name}.` : ''}${field.name}${custom ? `.${custom.name}` : ''}${operator === 'eq' ? '' : `:${operator}`}]`,
  );
  const message = `${names.join(' or ')} has a value that its field cannot have. Send a valid one.`;
  return new ServiceError('SERVICE_INVALID_FILTER', message, { cause });
}

/** Whether PostgreSQL accepts the values of a position; even a well-formed value can be out of range. */
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
