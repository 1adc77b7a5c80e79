import type { Stream } from '@unified/connectors';
import type { Company } from '../served-company.ts';
import type { Recipe, Row } from '../write-recipe.ts';

/** A list of a row, as the platform declares it: its table, and the columns that refer to the row. */
interface Child {
  readonly table: string;
  readonly parent: Readonly<Record<string, string>>;
  readonly where?: Readonly<Record<string, string>>;
  readonly key: readonly string[];
}

/** Reads the rows of a table of the company with their lists, by plain SQL. */
export function rowsOf(
  { sql }: Pick<Company, 'sql'>,
  { name, key, options }: Stream,
): Required<Pick<Recipe, 'find' | 'keys'>> {
  const { children = {} } = options as { readonly children?: Readonly<Record<string, Child>> };
  const lists = Object.entries(children).map(([list, child]) => `'${list}', (${childrenSql(child)})`);
  const keySql = `concat_ws('/', ${key.map((column) => `t.${column}`).join(', ')})`;
  const rowSql = `to_jsonb(t) || jsonb_build_object(${lists.join(', ')})`;
  return {
    async find(wanted) {
      const [found] = await sql(`SELECT ${rowSql} AS row FROM ${name} t WHERE ${keySql} = $1`, [wanted]);
      return found ? (inText(found.row) as Row) : null;
    },
    async keys() {
      return (await sql(`SELECT ${keySql} AS key FROM ${name} t`)).map((row) => String(row.key));
    },
  };
}

function childrenSql({ table, parent, where = {}, key }: Child): string {
  const links = Object.entries(parent).map(([theirs, ours]) => `c.${theirs} = t.${ours}`);
  const kinds = Object.entries(where).map(([column, value]) => `c.${column} = '${value}'`);
  const order = key.map((column) => `c.${column}`).join(', ');
  return `SELECT coalesce(jsonb_agg(to_jsonb(c) ORDER BY ${order}), '[]') FROM ${table} c WHERE ${[...links, ...kinds].join(' AND ')}`;
}

/**
 * A value with all numbers, booleans and times as texts, because old tables store them as texts in some columns. Texts are
 * without the padding of `char(n)`, times in UTC.
 */
export function inText(value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return value.map(inText);
  if (typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype)
    return Object.fromEntries(Object.entries(value).map(([name, held]) => [name, inText(held)]));
  if (typeof value === 'object') return value; // a matcher
  const text = String(value).trimEnd();
  return TIME.test(text) ? new Date(text).toISOString() : text;
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?([+-]\d\d:\d\d|Z)$/;
