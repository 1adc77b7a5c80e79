/** How a condition compares a value of a row. `empty` and `given` check whether the row has no value or has one. */
export type RawOperator = 'eq' | 'neq' | 'in' | 'gt' | 'gte' | 'lt' | 'lte' | 'like' | 'empty' | 'given';

/** A condition on a column of a raw row. */
export interface RawCondition {
  readonly column: string;
  readonly operator: RawOperator;
  /** For `like`, a pattern of PostgreSQL; for `in`, a list; null for `empty` and `given`. */
  readonly value: string | readonly string[] | null;
}

/** Collects the values of a statement: `add` returns the placeholder of a value. */
export interface Placeholders {
  add(value: string | readonly string[]): string;
}

/**
 * SQL of a row whose values PostgreSQL can read. PostgreSQL stores NUL in JSON, but cannot read any value of such a row. NUL is
 * replaced by the replacement character, in the same JSON notation.
 */
export const READABLE = `case when strpos(row::text, '\\u0000') > 0 then replace(row::text, '\\u0000', '\\ufffd')::json else row end`;

const NUMBER = `'^-?[0-9]{1,30}(\\.[0-9]{1,15})?$'`;
const COMPARISONS = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;
/** Numbers that `gt` and similar operators compare numerically. */
const PLAIN_NUMBER = /^-?\d{1,30}(\.\d{1,15})?$/;

/** SQL of the text of a column of `readable`; null for lists and objects, whose values may be secrets. */
export function textOf(column: string): string {
  return `case when json_typeof(readable -> ${column}) in ('object', 'array') then null else readable ->> ${column} end`;
}

/** SQL of the number in the text of a column; null if the text is not a number. */
export function numberOf(text: string): string {
  return `case when ${text} ~ ${NUMBER} then (${text})::numeric end`;
}

/** SQL of a condition on `readable`. */
export function conditionSql({ column, operator, value }: RawCondition, values: Placeholders): string {
  const name = `${values.add(column)}::text`;
  if (value === null)
    return `coalesce(json_typeof(readable -> ${name}), 'null') ${operator === 'empty' ? '=' : '<>'} 'null'`;
  const text = `(${textOf(name)})`;
  const given = values.add(value);
  switch (operator) {
    case 'in':
      return `${text} = any(${given}::text[])`;
    case 'neq':
      return `${text} is distinct from ${given}::text`;
    case 'like':
      return `${text} ilike ${given}::text`;
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return PLAIN_NUMBER.test(String(value))
        ? `(${numberOf(text)}) ${COMPARISONS[operator]} ${given}::numeric`
        : `${text} collate "C" ${COMPARISONS[operator]} ${given}::text`;
    default:
      return `${text} = ${given}::text`;
  }
}
