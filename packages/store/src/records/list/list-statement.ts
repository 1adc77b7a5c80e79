import type { Knex } from 'knex';
import { nameOf, type Statement } from '../../sql/statement.ts';
import { sortName } from './keyset.ts';
import type { ListShape } from './list-shape.ts';
import { countQuery, listQuery } from './list-sql.ts';

/** A statement and, for each `$n`, the number of the query's value for it; see `valueAt`. */
export interface ShapedStatement extends Statement {
  readonly slots: readonly number[];
}

const kept = lru<ShapedStatement>(2000);
/** Those of shapes that are used again, without their names. */
const ofShapes = new WeakMap<ListShape, ShapedStatement>();

/** The statement that reads a page: the document as text, then the sort keys. Built by Knex once per shape. */
export function listStatement(shape: ListShape): ShapedStatement {
  const known = ofShapes.get(shape);
  if (known) return known;
  const name = `list ${shape.limit}${shape.hasOffset ? '+' : ''} ${orderName(shape)} ${filterName(shape)}`;
  const statement = kept(name, () => shaped(listQuery(shape)));
  ofShapes.set(shape, statement);
  return statement;
}

/** The statement that counts all records of a list. */
export function countStatement(shape: ListShape): ShapedStatement {
  return kept(`count ${filterName(shape)}`, () => shaped(countQuery(shape)));
}

function orderName({ keys, position }: ListShape): string {
  return `${sortName(keys)} ${position?.map((value) => (value === null ? 0 : 1)).join('') ?? ''}`;
}

function filterName({ entity, conditions }: ListShape): string {
  return [
    entity.name,
    ...conditions.map(({ field, through, custom, operator, value }) => {
      const relation = through ? `${through.relation.name}(${through.targets.map((target) => target.name)}).` : '';
      const type = custom ? `.${custom.type}${custom.isIndexed ? '+' : ''}` : '';
      return `${relation}${field.name}${type}:${operator}${value === null ? ':null' : ''}`;
    }),
  ].join(' ');
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
