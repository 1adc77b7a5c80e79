import { type Entity, type Field, type FieldKind, ServiceError } from '@unified/contract';
import pg from 'pg';
import { isUuid, type Parameter } from '../../sql/parameter.ts';
import { interfacesOf, linkName, tableOf } from '../../tables/derive-table.ts';
import { CUSTOM_KINDS, type CustomType, customSql } from '../custom/custom-values.ts';
import { type ConditionParts, partsWith } from './condition-parts.ts';
import { type Through, targetParts } from './related.ts';

export type Operator = 'eq' | 'neq' | 'in' | 'gt' | 'gte' | 'lt' | 'lte' | 'contains' | 'startsWith' | 'endsWith';

/** One condition of a list: field, operator and value. Numbers and dates are checked by the caller. */
export interface Condition {
  readonly field: Field;
  /** For a condition on a field of the records that a relation points to. */
  readonly through?: Through;
  /** For a condition on one of the values of `customFields`. */
  readonly custom?: CustomCondition;
  readonly operator: Operator;
  readonly value: string | number | boolean | null | readonly (string | number)[];
}

/** The custom field that a condition compares. */
export interface CustomCondition {
  readonly name: string;
  readonly type: CustomType;
  readonly isIndexed: boolean;
}

/**
 * Builds the condition of an operator on a column or an expression. Parameters of the expression itself are not in its slots.
 */
type Template = (column: string) => ConditionParts;
type Templates = Partial<Record<Operator, Template>>;

/** A comparison with the value, which is the only parameter. */
const compared =
  (sql: (column: string) => string): Template =>
  (column) => ({ sql: sql(column), slots: ['value'] });

const equality = (type: string) => ({
  eq: compared((c) => `${c} = ?::${type}`),
  neq: compared((c) => `${c} is distinct from ?::${type}`),
  in: compared((c) => `${c} = any(?::${type}[])`),
});

const order = (type: string) => ({
  gt: compared((c) => `${c} > ?::${type}`),
  gte: compared((c) => `${c} >= ?::${type}`),
  lt: compared((c) => `${c} < ?::${type}`),
  lte: compared((c) => `${c} <= ?::${type}`),
});

const like = compared((c) => `${c} ilike ?::text`);
const search: Templates = { contains: like, startsWith: like, endsWith: like };

/** Whether a list contains the value. `neq` also matches an empty list, which counts as "no value". */
const inclusion = (type: string): Templates => ({
  eq: compared((c) => `${c} @> array[?::${type}]`),
  neq: compared((c) => `(${c} is null or not ${c} @> array[?::${type}])`),
  in: compared((c) => `${c} && ?::${type}[]`),
});

const text: Templates = { ...equality('text'), ...order('text'), ...search };
const number: Templates = { ...equality('numeric'), ...order('numeric') };
const time: Templates = { ...equality('timestamptz'), ...order('timestamptz') };
const { eq, neq } = equality('boolean');

const templates: Readonly<Record<FieldKind, Templates>> = {
  text,
  number,
  integer: number,
  boolean: { eq, neq },
  date: time,
  datetime: time,
  enum: equality('text'),
  // A value that is not a UUID arrives as null: nothing equals it, and every record with a link differs from it.
  relation: { ...equality('uuid'), neq: compared((c) => `(${c} is not null and ${c} is distinct from ?::uuid)`) },
  relations: {
    neq: compared((c) => `(cardinality(${c}) > 0 and not coalesce(${c} @> array[?::uuid], false))`),
  },
  texts: inclusion('text'),
  objects: {},
  object: {},
  custom: {},
};

/** The id is a UUID in its column and text on the wire: it is looked up as a UUID, but compared and searched as text. */
const idTemplates: Templates = {
  ...equality('uuid'),
  ...Object.fromEntries(
    Object.entries({ ...order('text'), ...search }).map(([name, template]) => [
      name,
      () => template('(id::text collate "C")'),
    ]),
  ),
};

/** SQL of "no value" and "any value". */
const missing = {
  eq: { plain: (c: string) => `${c} is null`, list: (c: string) => `coalesce(cardinality(${c}), 0) = 0` },
  neq: { plain: (c: string) => `${c} is not null`, list: (c: string) => `cardinality(${c}) > 0` },
};

function fieldParts(entity: Entity, { field, operator, value }: Condition): ConditionParts {
  const column = columnOf(entity, field);
  const template = templatesOf(entity, field)[operator];
  if (!template || entity.field[field.name] !== field) {
    throw new ServiceError(
      'SERVICE_INVALID_FILTER',
      `"${field.name}" of ${entity.name} cannot be filtered by "${operator}".`,
    );
  }
  const isLink = field.kind === 'relation' || field.kind === 'relations';
  if (value === null && !isLink && (operator === 'eq' || operator === 'neq')) {
    return { sql: missing[operator][field.kind === 'texts' ? 'list' : 'plain'](column), slots: [] };
  }
  return template(column);
}

function templatesOf(entity: Entity, field: Field): Templates {
  if (field.name === 'id') return idTemplates;
  return field.kind === 'relations' ? { ...templates.relations, ...linked(entity, field) } : templates[field.kind];
}

/**
 * A list of references is found by its links: row-level security keeps the operators of arrays from using an index. The links
 * of one list to one target are ordered by id, so reading stops at the end of a page; otherwise all links are collected first.
 */
function linked(entity: Entity, field: Field): Templates {
  const table = tableOf(entity);
  const names = linkNames(entity, field);
  const collected = (targets: string) => () => collectedParts(names, partsWith('value', targets));
  const exists = compared(
    () =>
      `exists (select from unified.links link where link.field in (${names}) and link.connection_id = ${table}.connection_id
      and link.id = ${table}.id and link.target = ?::uuid)`,
  );
  return { eq: names.length === 1 ? exists : collected('= ?::uuid'), in: collected('= any(?::uuid[])') };
}

/** Names of the links of a list in the tables of an entity, as SQL texts. */
function linkNames(entity: Entity, field: Field): string[] {
  return (entity.view ?? [{ entity: entity.name }]).map((owner) => `'${linkName(owner.entity, field)}'`);
}

/** Records with a link to one of `targets`, a comparison such as `= ?::uuid`. */
function collectedParts(names: readonly string[], targets: ConditionParts): ConditionParts {
  const sql = `id = any(array(select link.id from unified.links link where link.field in (${names})
    and link.connection_id = ?::uuid and link.target ${targets.sql}))`;
  return { sql, slots: ['connection', ...targets.slots] };
}

/** A value that all records of an entity share has no column. A view does have the column, since its members differ. */
function columnOf(entity: Entity, { name }: Field): string {
  if (name !== '_implements' || entity.view) return `"${name}"`;
  return `array[${interfacesOf(entity).map((each) => `'${each}'`)}]::text[]`;
}

/** Compiles a condition. Throws SERVICE_INVALID_FILTER. */
export function conditionParts(entity: Entity, condition: Condition): ConditionParts {
  if (condition.through) return throughParts(entity, condition, condition.through);
  if (condition.custom) return customParts(entity, condition, condition.custom);
  return fieldParts(entity, condition);
}

/**
 * The ids of the records that `through` leads to and that meet a condition: a query with one column. Throws
 * SERVICE_INVALID_FILTER.
 */
export function targetsOf(entity: Entity, { field, operator, value }: Condition, through: Through): ConditionParts {
  const { relation } = through;
  if (entity.field[relation.name] !== relation) {
    throw new ServiceError('SERVICE_INVALID_FILTER', `${entity.name} has no relation "${relation.name}".`);
  }
  return targetParts(through, field.name, (target, own) => conditionParts(target, { field: own, operator, value }));
}

function throughParts(entity: Entity, condition: Condition, through: Through): ConditionParts {
  const { relation } = through;
  const { sql, slots } = targetsOf(entity, condition, through);
  if (relation.kind === 'relation') return { sql: `${columnOf(entity, relation)} in (${sql})`, slots };
  return collectedParts(linkNames(entity, relation), { sql: `in (${sql})`, slots });
}

/** Operators that can use an index: those that select one range of values. */
const RANGES: ReadonlySet<Operator> = new Set(['eq', 'in', 'gt', 'gte', 'lt', 'lte']);

function customParts(
  entity: Entity,
  { operator, value }: Condition,
  { name, type, isIndexed }: CustomCondition,
): ConditionParts {
  const template = templates[CUSTOM_KINDS[type]][operator];
  if (!template) {
    throw new ServiceError(
      'SERVICE_INVALID_FILTER',
      `"customFields.${name}" of ${entity.name} cannot be filtered by "${operator}".`,
    );
  }
  const { value: stored, column } = customSql[type];
  const isNothing = value === null && (operator === 'eq' || operator === 'neq');
  if (!isNothing && isIndexed && column && RANGES.has(operator))
    return indexedParts(entity, template(`held.${column}`));
  const { slots: names } = partsWith('name', stored);
  if (isNothing) return { sql: missing[operator].plain(`(${stored})`), slots: names };
  const { sql, slots } = template(`(${stored})`);
  return { sql, slots: [...names, ...slots] };
}

/** Records whose value in the index satisfies a comparison. */
function indexedParts(entity: Entity, comparison: ConditionParts): ConditionParts {
  const table = tableOf(entity);
  const sql = `exists (select from unified.custom_values held where held.connection_id = ${table}.connection_id
    and held.entity = ${pg.escapeLiteral(entity.name)} and held.id = ${table}.id and held.name = ?::text
    and ${comparison.sql})`;
  return { sql, slots: ['name', ...comparison.slots] };
}

/** The value of a condition in the form that its SQL expects. */
export function conditionValue({ field: own, custom, operator, value }: Condition): Parameter {
  const field = custom ? { ...own, kind: CUSTOM_KINDS[custom.type] } : own;
  if (Array.isArray(value)) return value.map((each) => plainValue(field, refuseNul(field, String(each))));
  if (value === null) return null;
  const given = String(value);
  if (operator === 'contains') return `%${literal(given)}%`;
  if (operator === 'startsWith') return `${literal(given)}%`;
  if (operator === 'endsWith') return `%${literal(given)}`;
  return operator === 'eq' || operator === 'neq' ? plainValue(field, given) : comparedValue(field, given);
}

/** PostgreSQL refuses it as a single value. */
function refuseNul(field: Field, value: string): string {
  if (!value.includes('\0')) return value;
  throw new ServiceError('SERVICE_INVALID_FILTER', `A value for "${field.name}" contains a NUL character.`);
}

const DATE = /^\d{4}-\d{2}-\d{2}$/;

function plainValue(field: Field, value: string): string | null {
  if (field.name === 'id' || field.kind === 'relation' || field.kind === 'relations')
    return isUuid(value) ? value : null;
  return comparedValue(field, value);
}

function comparedValue(field: Pick<Field, 'kind'>, value: string): string {
  return (field.kind === 'date' || field.kind === 'datetime') && DATE.test(value) ? `${value}T00:00:00Z` : value;
}

/** Text without wildcards. */
function literal(value: string): string {
  return value.replace(/[\\%_]/g, '\\$&');
}
