/** Other properties of a condition are fields of related records. */
const OPERATORS = new Set(['eq', 'neq', 'in', 'gt', 'gte', 'lt', 'lte', 'contains', 'startsWith', 'endsWith']);

type Value = string | number | boolean | Date | null;

/**
 * Conditions in the form of the query string: `{ name: { contains: 'acme' }, isActive: true }` is `{ 'name:contains':
 * 'acme', isActive: 'true' }`; `{ customFields: { color: 'red' } }` is `{ 'customFields.color': 'red' }`, and `{ vendor: {
 * code: 'V-1' } }` is `{ 'vendor.code': 'V-1' }`.
 *
 * @throws {TypeError} For values that a query string cannot express: a comma in a value of `in`, an empty `in`, `null`
 * where a value is required, and the text "null" in `eq` and `neq`, where it means no value.
 */
export function filterQuery(filter: object): Record<string, string> {
  // Without a prototype, `__proto__` is a name like any other.
  const query: Record<string, string> = Object.create(null);
  for (const [field, condition] of Object.entries(filter)) {
    if (condition === undefined) continue;
    if (field === 'customFields') {
      for (const [key, value] of Object.entries(filterQuery(condition))) query[`customFields.${key}`] = value;
      continue;
    }
    if (isValue(condition)) {
      query[field] = equal(field, condition);
      continue;
    }
    for (const [operator, value] of Object.entries(condition)) {
      if (!OPERATORS.has(operator)) Object.assign(query, filterQuery({ [`${field}.${operator}`]: value }));
      else if (value !== undefined) query[`${field}:${operator}`] = operand(field, operator, value);
    }
  }
  return query;
}

function isValue(condition: unknown): condition is Value {
  return typeof condition !== 'object' || condition === null || condition instanceof Date;
}

function operand(field: string, operator: string, value: unknown): string {
  if (operator === 'eq' || operator === 'neq') return equal(field, value as Value);
  if (operator === 'in') return list(field, value as readonly Value[]);
  return text(`${field}:${operator}`, value as Value);
}

function equal(field: string, value: Value): string {
  if (value === 'null') throw new TypeError(`${field}: the text "null" would mean no value; use { in: ['null'] }.`);
  return value === null ? 'null' : text(field, value);
}

function list(field: string, values: readonly Value[]): string {
  if (!Array.isArray(values) || values.length === 0) throw new TypeError(`${field}:in needs at least one value.`);
  const texts = values.map((value) => text(`${field}:in`, value));
  const split = texts.find((value) => value.includes(','));
  if (split !== undefined) throw new TypeError(`${field}:in cannot contain "${split}": a comma separates values.`);
  return texts.join(',');
}

function text(place: string, value: Value): string {
  if (value === null) throw new TypeError(`${place} needs a value; null is for eq and neq.`);
  return value instanceof Date ? value.toISOString() : String(value);
}
