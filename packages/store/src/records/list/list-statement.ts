import type { Entity } from '@unified/contract';
import knex, { type Knex } from 'knex';
import type { Parameter } from '../../sql/parameter.ts';
import { nameOf, type Statement } from '../../sql/statement.ts';
import { tableOf } from '../../tables/derive-table.ts';
import { type Condition, conditionParts, conditionValue } from './condition.ts';
import { continuations, type Position, type SortKey, sortName } from './keyset.ts';

/** The shape of a list for its SQL: lists with the same shape differ only in values. */
export interface ListShape {
  readonly entity: Entity;
  readonly conditions: readonly Condition[];
  readonly keys: readonly SortKey[];
  readonly position: Position | null;
  readonly hasOffset: boolean;
  /** Maximum number of rows to read: part of the text, not a parameter, so that the planner knows that it is small. */
  readonly limit: number;
}

/** A statement and, for each `$n`, the number of the query's value for it; see `valueAt`. */
export interface ShapedStatement extends Statement {
  readonly slots: readonly number[];
}

/**
 * Numbers of a query's values: the connection, then conditions, then the cursor's position, then the offset, then the
 * names of the custom fields of conditions. Knex gets these numbers in place of the values, since a statement serves all
 * queries of its shape; `shaped` reads them back as its `slots`.
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

/** The values of a query, in the order of `valueAt`; the `slots` of a statement select from them. */
export function listValues(
  connectionId: string,
  { conditions, position }: Pick<ListShape, 'conditions' | 'position'>,
  offset = 0,
): readonly Parameter[] {
  const names = conditions.map(({ custom }) => custom?.name ?? null);
  return [connectionId, ...conditions.map(conditionValue), ...(position ?? []), offset, ...names];
}

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
export function countStatement(shape: ListShape): ShapedStatement {
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
