import { type Entity, type Field, type FieldKind, nearest, relatedFields, ServiceError } from '@unified/contract';
import { type Condition, CUSTOM_KINDS, type FilteredCustomField } from '@unified/store';
import { quoted, suggestionOf } from '../request-error.ts';
import { filterValue, UnfitValue, type Unlisted, type ValueContext } from './filter-value.ts';
import type { Narrow } from './token-access.ts';

type Operator = Condition['operator'];

const EQUALITY: readonly Operator[] = ['eq', 'neq', 'in'];
const ORDER: readonly Operator[] = [...EQUALITY, 'gt', 'gte', 'lt', 'lte'];
const ALL: readonly Operator[] = [...ORDER, 'contains', 'startsWith', 'endsWith'];
const OPERATORS: Readonly<Record<FieldKind, readonly Operator[]>> = {
  text: ALL,
  number: ORDER,
  integer: ORDER,
  date: ORDER,
  datetime: ORDER,
  boolean: ['eq', 'neq'],
  enum: EQUALITY,
  relation: EQUALITY,
  relations: EQUALITY,
  texts: EQUALITY,
  objects: [],
  object: [],
  custom: [],
};
/** Operators for text fields of the records that a relation points to: those that select few records. */
const RELATED_TEXT: readonly Operator[] = ['eq', 'in', 'contains', 'startsWith', 'endsWith'];
const RELATED_OTHER: readonly Operator[] = ['eq', 'in'];

/** What a filter may use in addition to the fields of its entity. */
export interface FilterLimits {
  /** The custom fields that the entity has in the connection; none by default. */
  readonly customFields?: readonly FilteredCustomField[];
  /** Limits the entities that relations lead to. */
  readonly narrow: Narrow;
}

/**
 * Conditions of a list, parsed from `filter[…]`.
 *
 * Throws `SERVICE_INVALID_FILTER`; its details name the condition, what is wrong and, for an unknown field or operator,
 * the `allowed` ones.
 */
export function parseFilter(
  entity: Entity,
  filter: ReadonlyMap<string, string>,
  { customFields = [], narrow }: FilterLimits,
): Condition[] {
  const known = { customFields, narrow };
  const seen = new Set<string>();
  return [...filter].map(([key, value]) => {
    const colon = key.indexOf(':');
    const { condition, compared, operators } = fieldOf(entity, colon < 0 ? key : key.slice(0, colon), key, known);
    const operator = operatorOf(compared, operators, colon < 0 ? 'eq' : key.slice(colon + 1), key);
    const canonical = `${compared.name}:${operator}`;
    if (seen.has(canonical)) throw refused(key, `${canonical} is used twice. Remove one of them.`);
    seen.add(canonical);
    const read = readValue(compared, operator, value, { key, entity, narrow });
    // An empty text would select the related records without this value, or all of them.
    if (condition.through && [read].flat().includes('')) throw refused(key, 'Send a text that is not empty.');
    return { ...condition, operator, value: read };
  });
}

const CUSTOM = 'customFields.';
/** Similar spellings, for which messages suggest a custom field. */
const LIKE_CUSTOM = /^custom[_-]?fields\./i;

/** Whether a filter names custom fields, so that those of the connection are needed to parse it. */
export function namesCustomFields(filter: ReadonlyMap<string, string>): boolean {
  for (const key of filter.keys()) if (LIKE_CUSTOM.test(key)) return true;
  return false;
}

/** What a condition compares. */
interface Compared {
  readonly condition: Pick<Condition, 'field' | 'through' | 'custom'>;
  /** The field under the name that the filter uses for it, and the kind of its values. */
  readonly compared: Field;
  readonly operators: readonly Operator[];
}

function comparedBy(field: Field): Compared {
  return { condition: { field }, compared: field, operators: OPERATORS[field.kind] };
}

function customFieldOf(entity: Entity, name: string, key: string, fields: readonly FilteredCustomField[]): Compared {
  const custom = fields.find((each) => name === `${CUSTOM}${each.name}`);
  const field = entity.field.customFields;
  if (custom && field) {
    const kind = CUSTOM_KINDS[custom.type];
    return { condition: { field, custom }, compared: { ...field, name, kind }, operators: OPERATORS[kind] };
  }
  const allowed = fields.map((each) => `${CUSTOM}${each.name}`);
  const sent = name.replace(LIKE_CUSTOM, '');
  throw refused(key, `${entity.name} has no field ${quoted(name)} in this connection.`, {
    sent,
    allowed,
    prefix: CUSTOM,
  });
}

function fieldOf(
  entity: Entity,
  name: string,
  key: string,
  { customFields, narrow }: Required<FilterLimits>,
): Compared {
  if (LIKE_CUSTOM.test(name)) return customFieldOf(entity, name, key, customFields);
  if (name.includes('.')) return relatedFieldOf(entity, name, key, narrow);
  const field = Object.hasOwn(entity.field, name) ? entity.field[name] : undefined;
  if (field && OPERATORS[field.kind].length > 0) return comparedBy(field);
  const allowed = entity.fields.filter((each) => OPERATORS[each.kind].length > 0).map((each) => each.name);
  throw refused(key, `${entity.name} has no field ${quoted(name)} to filter by.`, { sent: name, allowed });
}

/** A field of the records that a relation points to, by a path such as `vendor.code`. */
function relatedFieldOf(entity: Entity, path: string, key: string, narrow: Narrow): Compared {
  const [start = ''] = path.split('.');
  const name = path.slice(start.length + 1);
  const relation = Object.hasOwn(entity.field, start) ? entity.field[start] : undefined;
  const fields = relation && relatedFields(relation, narrow);
  if (!relation || !fields || fields.size === 0) {
    if (relation && !relation.targets) throw misplacedOperator(relation, path, key);
    const relations = entity.fields.filter((each) => relatedFields(each, narrow).size > 0);
    const allowed = relations.map((each) => `${each.name}.${name}`);
    throw refused(key, `${entity.name} has no relation ${quoted(start)}.`, { sent: path, allowed });
  }
  const related = fields.get(name);
  if (!related) {
    const allowed = [...fields.keys()].map((each) => `${start}.${each}`);
    const reason = `The records of "${start}" have no field ${quoted(name)} to filter by.`;
    throw refused(key, reason, { sent: name, allowed, prefix: `${start}.` });
  }
  const { field, targets } = related;
  // The id is the value of the relation itself.
  if (name === 'id')
    return { ...comparedBy(relation), compared: { ...relation, name: path }, operators: RELATED_OTHER };
  return {
    condition: { field, through: { relation, targets } },
    compared: { ...field, name: path },
    operators: field.kind === 'text' ? RELATED_TEXT : RELATED_OTHER,
  };
}

/** The error for a field of a field that is not a relation: the rest was probably meant as an operator. */
function misplacedOperator({ name, kind }: Field, path: string, key: string) {
  const reason = `"${name}" is not a relation. An operator follows a colon: filter[${name}:eq].`;
  const allowed = OPERATORS[kind].map((operator) => `${name}:${operator}`);
  return refused(key, reason, { sent: path.replace('.', ':'), allowed });
}

function operatorOf(field: Field, operators: readonly Operator[], name: string, key: string): Operator {
  const operator = operators.find((each) => each === name);
  if (operator !== undefined) return operator;
  const reason = `"${field.name}" cannot be compared by ${quoted(name)}. Use one of ${operators.join(', ')}.`;
  // An operator of other fields is no misspelling: "neq" does not mean "eq".
  const isMisspelt = !ALL.some((each) => each === name);
  throw refused(key, reason, { allowed: operators, ...(isMisspelt && { sent: name }) });
}

function readValue(
  field: Field,
  operator: Operator,
  text: string,
  { key, ...within }: ValueContext & { readonly key: string },
): Condition['value'] {
  try {
    return filterValue(field, operator, text, within);
  } catch (error) {
    if (error instanceof UnfitValue) throw refused(key, error.message, error.unlisted);
    throw error;
  }
}

function refused(key: string, reason: string, unlisted?: Unlisted): ServiceError {
  const condition = `filter[${key.slice(0, 80)}]`;
  const { advice, detail } = suggestionOf(unlisted && meantBy(unlisted));
  const message = `${reason}${advice}`;
  const details = [{ path: `query/${condition}`, message, ...detail, ...(unlisted && { allowed: unlisted.allowed }) }];
  return new ServiceError('SERVICE_INVALID_FILTER', `${condition}: ${message}`, { details });
}

/** The allowed name that was probably meant by the name that was sent. A common prefix does not count as similarity. */
function meantBy({ sent, allowed, prefix = '' }: Unlisted): string | undefined {
  if (sent === undefined) return undefined;
  const meant = nearest(
    sent,
    allowed.map((each) => each.slice(prefix.length)),
  );
  return meant === undefined ? undefined : `${prefix}${meant}`;
}
