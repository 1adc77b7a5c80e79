import type { Field } from '@unified/contract';
import knex, { type Knex } from 'knex';
import { tableOf } from '../../tables/derive-table.ts';
import { conditionParts, targetsOf } from './condition.ts';
import type { ConditionParts } from './condition-parts.ts';
import { continuations } from './keyset.ts';
import { type ListShape, valueAt } from './list-shape.ts';

/** Builds SQL only; it never connects. */
const sql = knex({ client: 'pg' });

/** The query for a page: the document as text, then the sort keys. Its bindings are numbers of `valueAt`. */
export function listQuery(shape: ListShape): Knex.QueryBuilder {
  const leading = leadingCondition(shape);
  return leading ? pagesByTarget(shape, leading) : pageQuery(shape);
}

/** The query that counts all records of a list. */
export function countQuery(shape: ListShape): Knex.QueryBuilder {
  return records(shape).select(sql.raw('count(*)'));
}

/** A condition through a relation to a single record that determines how a list is read. */
interface LeadingCondition {
  readonly index: number;
  readonly relation: Field;
  /** A query that returns the ids that the relation may have. */
  readonly targets: ConditionParts;
}

/** The condition through a relation that probably matches the fewest records. Throws SERVICE_INVALID_FILTER. */
function leadingCondition({ entity, conditions }: ListShape): LeadingCondition | undefined {
  const found = conditions.flatMap((condition, index) =>
    condition.through?.relation.kind === 'relation' ? [{ index, condition, through: condition.through }] : [],
  );
  const leading = found.find(({ condition: { operator } }) => operator === 'eq' || operator === 'in') ?? found[0];
  if (!leading) return undefined;
  const { index, condition, through } = leading;
  return { index, relation: through.relation, targets: targetsOf(entity, condition, through) };
}

/**
 * The first records of a page for each target, read in order from the index of the relation. A condition on a list of ids would
 * sort all records of every target.
 */
function pagesByTarget(shape: ListShape, leading: LeadingCondition) {
  const { index, targets } = leading;
  const from = `(${targets.sql}) as related (target) cross join lateral ? as page`;
  const page = pageQuery(shape, leading);
  return inOrder(shape, sql.select('page.*').from(sql.raw(from, [...bindings(shape, index, targets), page])));
}

/** A page of a list, or of the part of it whose records point to `related.target` by the leading condition. */
function pageQuery(shape: ListShape, leading?: LeadingCondition) {
  const { position, keys } = shape;
  const ordered = (query: Knex.QueryBuilder) => (leading ? upToPage(shape, query) : inOrder(shape, query));
  const after = position === null ? [] : continuations(keys, position);
  const parts = after.map(({ sql: text, values }) => {
    const given = values.map((index) => valueAt.position(shape, index));
    return ordered(rowsOf(shape, leading).whereRaw(text, given));
  });
  const [first, ...rest] = parts;
  if (!first) return ordered(rowsOf(shape, leading));
  // Each part stops at the limit, so at most two pages are sorted.
  return rest.length === 0 ? first : ordered(sql.select('*').from(sql.unionAll(parts, true).as('parts')));
}

function inOrder(shape: ListShape, query: Knex.QueryBuilder) {
  if (shape.hasOffset) query.offset(offsetOf(shape) as unknown as number);
  return sorted(shape, query).limit(shape.limit, { skipBinding: true });
}

/**
 * The records of one target up to the end of the page. The offset is applied later, because the records before it may belong to
 * other targets.
 */
function upToPage(shape: ListShape, query: Knex.QueryBuilder) {
  const last = shape.hasOffset ? sql.raw('? + ??', [offsetOf(shape), sql.raw(String(shape.limit))]) : undefined;
  return last ? sorted(shape, query).limit(last as unknown as number) : inOrder(shape, query);
}

function offsetOf(shape: ListShape) {
  return sql.raw('?', [valueAt.offset(shape)]);
}

function sorted({ keys }: ListShape, query: Knex.QueryBuilder) {
  return query.orderByRaw(keys.map((key) => `${key.column}${key.descending ? ' desc' : ''}`).join(', '));
}

/** Sort keys are named after their fields, so that the parts of a list can be sorted together. */
function rowsOf(shape: ListShape, leading: LeadingCondition | undefined) {
  const keys = shape.keys.map(({ column, field }) => `${column} as "${field.name}"`);
  return records(shape, leading).select(sql.raw(['doc', ...keys].join(', ')));
}

function records(shape: ListShape, leading?: LeadingCondition) {
  const { entity, conditions } = shape;
  const query = sql
    .from(sql.raw(tableOf(entity)))
    .whereRaw('connection_id = ?::uuid', [valueAt.connection])
    .whereRaw('"_deletedAt" is null');
  conditions.forEach((condition, index) => {
    if (index === leading?.index) {
      query.whereRaw(`"${leading.relation.name}" = related.target`);
    } else {
      const parts = conditionParts(entity, condition);
      query.whereRaw(parts.sql, bindings(shape, index, parts));
    }
  });
  return query;
}

/** The `valueAt` numbers of the values that a condition takes. */
function bindings(shape: ListShape, index: number, { slots }: ConditionParts): number[] {
  const at = {
    connection: valueAt.connection,
    name: valueAt.name(shape, index),
    value: valueAt.condition(index),
  };
  return slots.map((slot) => at[slot]);
}
