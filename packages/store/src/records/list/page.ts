import { type Entity, type Field, ServiceError } from '@unified/contract';
import knex, { type Knex } from 'knex';
import { invalidCursor } from '../../access/invalid-cursor.ts';
import { type Scope, sessionOf } from '../../access/scope.ts';
import { isDataError } from '../../sql/failures.ts';
import type { Parameter } from '../../sql/parameter.ts';
import type { Session } from '../../sql/session.ts';
import { nameOf, type Statement } from '../../sql/statement.ts';
import { tableOf } from '../../tables/derive-table.ts';
import { type Condition, conditionParts, conditionValue } from './condition.ts';
import { continuations, type Position, readCursor, type SortKey, sortKeys, sortName, writeCursor } from './keyset.ts';

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
  const names = conditions.map(({ custom }) => custom?.name ?? null);
  const values = [
    scope.connectionId,
    ...conditions.map(conditionValue),
    ...(position ?? []),
    query.offset ?? 0,
    ...names,
  ];
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
  { conditions, keys, position }: ListShape,
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
    throw invalidFilter(conditions, error);
  }
}

/** PostgreSQL names neither the condition nor the range of its type, so the message names all that it can be. */
function invalidFilter(conditions: readonly Condition[], cause: Error): ServiceError {
  const names = conditions.map(
    ({ field, custom, operator }) =>
      `filter[${field.name}${custom ? `.${custom.name}` : ''}${operator === 'eq' ? '' : `:${operator}`}]`,
  );
  const message = `${names.join(' or ')} has a value that its field cannot have. Send one that it can.`;
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

/** The shape of a list for its SQL: lists with the same shape differ only in values. */
export interface ListShape {
  readonly entity: Entity;
  readonly conditions: readonly Condition[];
  readonly keys: readonly SortKey[];
  readonly position: Position | null;
  readonly hasOffset: boolean;
  /** Most rows to read. A number in the text, not a parameter, so that the planner knows that it is small. */
  readonly limit: number;
}

/** A statement and, for each `$n`, the number of the query's value for it; see `valueAt`. */
interface ShapedStatement extends Statement {
  readonly slots: readonly number[];
}

/**
 * Numbers of a query's values: the connection, then conditions, then the cursor's position, then the offset, then the
 * names of the custom fields of conditions. Knex gets these
 * numbers in place of the values, since a statement serves all queries of its shape; `shaped` reads them back as its `slots`.
 */
const valueAt = {
  connection: 0,
  condition: (index: number) => 1 + index,
  position: (shape: Pick<ListShape, 'conditions'>, index: number) => 1 + shape.conditions.length + index,
  offset: (shape: Pick<ListShape, 'conditions' | 'keys' | 'position'>) =>
    1 + shape.conditions.length + (shape.position === null ? 0 : shape.keys.length),
  name: (shape: Pick<ListShape, 'conditions' | 'keys' | 'position'>, index: number) =>
    valueAt.offset(shape) + 1 + index,
};

/** Builds SQL only; it never connects. */
const sql = knex({ client: 'pg' });

const kept = lru<ShapedStatement>(2000);

/** The statement that reads a page: the document as text, then the sort keys. Built by Knex once per shape. */
export function listStatement(shape: ListShape): ShapedStatement {
  return kept(`list ${shape.limit}${shape.hasOffset ? '+' : ''} ${orderName(shape)} ${filterName(shape)}`, () =>
    shaped(listQuery(shape)),
  );
}

/** The statement that counts all records of a list. */
function countStatement(shape: ListShape): ShapedStatement {
  return kept(`count ${filterName(shape)}`, () => shaped(records(shape).select(sql.raw('count(*)'))));
}

function orderName({ keys, position }: ListShape): string {
  return `${sortName(keys)} ${position?.map((value) => (value === null ? 0 : 1)).join('') ?? ''}`;
}

function filterName({ entity, conditions }: ListShape): string {
  return [
    entity.name,
    ...conditions.map(({ field, custom, operator, value }) => {
      const type = custom ? `.${custom.type}${custom.isIndexed ? '+' : ''}` : '';
      return `${field.name}${type}:${operator}${value === null ? ':null' : ''}`;
    }),
  ].join(' ');
}

function listQuery(shape: ListShape) {
  const { position, keys } = shape;
  const after = position === null ? [] : continuations(keys, position);
  const parts = after.map(({ sql: text, values }) => {
    const given = values.map((index) => valueAt.position(shape, index));
    return inOrder(shape, rowsOf(shape).whereRaw(text, given));
  });
  const [first, ...rest] = parts;
  if (!first) return inOrder(shape, rowsOf(shape));
  // Each part stops at the limit, so at most two pages are sorted.
  return rest.length === 0 ? first : inOrder(shape, sql.select('*').from(sql.unionAll(parts, true).as('parts')));
}

function inOrder(shape: ListShape, query: Knex.QueryBuilder) {
  query.orderByRaw(shape.keys.map((key) => `${key.column}${key.descending ? ' desc' : ''}`).join(', '));
  if (shape.hasOffset) query.offset(sql.raw('?', [valueAt.offset(shape)]) as unknown as number);
  return query.limit(shape.limit, { skipBinding: true });
}

/** Keys are named after their fields, so that the parts of a list can be ordered together once more. */
function rowsOf(shape: ListShape) {
  const keys = shape.keys.map(({ column, field }) => `${column} as "${field.name}"`);
  return records(shape).select(sql.raw(['doc', ...keys].join(', ')));
}

function records(shape: ListShape) {
  const { entity, conditions } = shape;
  const query = sql
    .from(sql.raw(tableOf(entity)))
    .whereRaw('connection_id = ?::uuid', [valueAt.connection])
    .whereRaw('"_deletedAt" is null');
  conditions.forEach((condition, index) => {
    const { sql: text, slots } = conditionParts(entity, condition);
    const at = {
      connection: valueAt.connection,
      name: valueAt.name(shape, index),
      value: valueAt.condition(index),
    };
    query.whereRaw(
      text,
      slots.map((slot) => at[slot]),
    );
  });
  return query;
}

function shaped(query: Knex.QueryBuilder): ShapedStatement {
  const { sql: text, bindings } = query.toSQL().toNative();
  return { name: nameOf(text), text, slots: bindings.map(Number) };
}

/** A map that drops the least recently used entry. */
function lru<Value>(size: number) {
  const entries = new Map<string, Value>();
  return (key: string, make: () => Value): Value => {
    const value = entries.get(key) ?? make();
    entries.delete(key);
    entries.set(key, value);
    if (entries.size > size) forgetFirst(entries);
    return value;
  };
}

/** Maps keep the order in which keys were set. */
function forgetFirst(entries: Map<string, unknown>): void {
  const { value } = entries.keys().next();
  if (value !== undefined) entries.delete(value);
}
