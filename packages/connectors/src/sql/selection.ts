import type { Row } from '../driver.ts';
import type { Child } from './options.ts';
import { quote } from './quote.ts';
import { relationOf } from './relation.ts';
import { equal } from './statements.ts';
import { type Source, viewOf, zonesIn } from './target.ts';
import { instants, withOffsets } from './zones.ts';

/** What is selected of a row `t`: all columns, and for each list the keys of its rows, in order. `values` gets parameters. */
export function selection(source: Source, values: unknown[]): string {
  const { schema, options } = source;
  const lists = Object.entries(options.children).map(([name, child]) => {
    const keys = keyList(schema, child, values.length);
    values.push(...Object.values(child.where ?? {}));
    return `(${keys}) AS ${quote(name)}`;
  });
  return ['t.*', ...lists, ...instants(zonesIn(source, viewOf(source).sql), values)].join(', ');
}

/** A row that was selected, as it is handed out. */
export function rowOf(source: Source, selected: Row): Row {
  return withOffsets(selected, zonesIn(source, viewOf(source).sql));
}

function keyList(schema: string, { table, parent, where = {}, key }: Child, used: number): string {
  const belongs = Object.entries(parent).map(([column, ours]) => `c.${quote(column)} = t.${quote(ours)}`);
  const fixed = Object.keys(where).length > 0 ? [equal(Object.keys(where), used)] : [];
  const columns = key.map((column) => `c.${quote(column)}`);
  // The same text as `keyOf` makes.
  const text = columns.map((column) => `replace(replace(${column}::text, '%', '%25'), '/', '%2F')`).join(` || '/' || `);
  return `SELECT coalesce(json_agg(${text} ORDER BY ${columns.join(', ')}), '[]')
    FROM ${relationOf(table, schema).sql} AS c WHERE ${[...belongs, ...fixed].join(' AND ')}`;
}
