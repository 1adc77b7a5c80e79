import type { Row } from '../driver.ts';
import { isObject } from '../mapping/path.ts';
import { SystemError } from '../system-error.ts';
import type { Query } from './dialect/sql-dialect.ts';
import type { Child, StreamOptions } from './options.ts';
import { relationIn, type Source, zonesIn } from './source.ts';
import { equal, insert } from './statements.ts';

/** A row to write, split into its own columns and the lists for other tables. */
export interface Parts {
  readonly columns: Row;
  readonly lists: readonly (readonly [child: Child, rows: readonly Row[]])[];
}

/** Separates the lists from the values to write. */
export function partsOf(values: Row, { children }: StreamOptions): Parts {
  const columns: Row = {};
  const lists: [Child, readonly Row[]][] = [];
  for (const [name, value] of Object.entries(values)) {
    const child = Object.hasOwn(children, name) ? children[name] : undefined;
    if (!child) columns[name] = value;
    else if (child.written && Array.isArray(value)) lists.push([child, value.filter(isObject)]);
    else throw new SystemError('rejected', `${name} cannot be written`);
  }
  return { columns, lists };
}

/** Replaces the rows of each list with the sent ones; `parent` is the row that they belong to. */
export async function replaceChildren(query: Query, source: Source, parent: Row, { lists }: Parts): Promise<void> {
  for (const [child, rows] of lists) {
    const { sql: table } = relationIn(source, child.table);
    const belongs: Row = { ...child.where };
    for (const [column, ours] of Object.entries(child.parent)) belongs[column] = parent[ours];
    const condition = equal(source.dialect, Object.keys(belongs), 0);
    await query(`DELETE FROM ${table} WHERE ${condition}`, Object.values(belongs));
    for (const [index, row] of rows.entries()) {
      const line = { ...numbered(row, index, child), ...belongs };
      const { text, values } = insert(source.dialect, table, line, child.key, zonesIn(source, table));
      await query(text, values);
    }
  }
}

function numbered(row: Row, index: number, { number }: Child): Row {
  return number === undefined ? row : { ...row, [number]: row[number] ?? index + 1 };
}
