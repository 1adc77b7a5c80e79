import type { Child, StreamOptions } from './options.ts';
import { quote } from './quote.ts';
import { equal, type Statement } from './statements.ts';

/** What is selected of a row `t`: all columns, and for each child list the keys of its rows, in order. */
export function selection(schema: string, { children }: StreamOptions): Statement {
  const parts = ['t.*'];
  const values: unknown[] = [];
  for (const [name, child] of Object.entries(children)) {
    parts.push(`(${keyList(schema, child, values.length)}) AS ${quote(name)}`);
    values.push(...Object.values(child.where ?? {}));
  }
  return { text: parts.join(', '), values };
}

function keyList(schema: string, { table, parent, where = {}, key }: Child, used: number): string {
  const belongs = Object.entries(parent).map(([column, ours]) => `c.${quote(column)} = t.${quote(ours)}`);
  const fixed = Object.keys(where).length > 0 ? [equal(Object.keys(where), used)] : [];
  const columns = key.map((column) => `c.${quote(column)}`);
  // The same text as `keyOf` makes.
  const text = columns.map((column) => `replace(replace(${column}::text, '%', '%25'), '/', '%2F')`).join(` || '/' || `);
  return `SELECT coalesce(json_agg(${text} ORDER BY ${columns.join(', ')}), '[]')
    FROM ${quote(schema)}.${quote(table)} AS c WHERE ${[...belongs, ...fixed].join(' AND ')}`;
}
