import { refuseChangedList } from '../changed-list.ts';
import { type KnownLists, ROW_KEY, type Row } from '../driver.ts';
import { hasProperties } from '../mapping/path.ts';
import { keyValues } from '../row-key.ts';
import { SystemError } from '../system-error.ts';
import type { Query } from './dialect/sql-dialect.ts';
import { withoutKey } from './keep-key.ts';
import type { Child, StreamOptions } from './options.ts';
import { listIn } from './selection.ts';
import { relationIn, type Source, writtenZonesIn } from './source.ts';
import { assignments, equal, insert } from './statements.ts';
import type { ZonedColumns } from './zones.ts';

/** A row to write, split into its own columns and the lists for other tables. */
export interface Parts {
  readonly columns: Row;
  readonly lists: readonly WrittenList[];
}

interface WrittenList {
  /** Property of the row. */
  readonly name: string;
  readonly child: Child;
  readonly rows: readonly Row[];
}

/** Separates the lists from the values to write. */
export function partsOf(values: Row, { children }: StreamOptions): Parts {
  const columns: Row = {};
  const lists: WrittenList[] = [];
  for (const [name, value] of Object.entries(values)) {
    const child = Object.hasOwn(children, name) ? children[name] : undefined;
    if (!child) columns[name] = value;
    else if (child.written && Array.isArray(value)) lists.push({ name, child, rows: value.filter(hasProperties) });
    else throw new SystemError('rejected', `${name} cannot be written`);
  }
  return { columns, lists };
}

/**
 * Makes the rows of each list match those that were sent: rows with a key are changed in place, rows without one are inserted,
 * and rows that were not sent are deleted. `parent` is the row that they belong to. Throws `outdated` if the rows of a list are
 * no longer those in `known`, and `rejected` for a key that the list does not have.
 */
export async function writeChildren(
  query: Query,
  source: Source,
  parent: Row,
  { lists }: Parts,
  known: KnownLists = {},
): Promise<void> {
  for (const { name, child, rows } of lists) {
    const list = listOf(source, child, parent);
    const held = await keysOf(query, list);
    refuseChangedList(name, known[name], held);
    const kept = rows.filter((row) => row[ROW_KEY] !== undefined);
    const keys = kept.map((row) => String(row[ROW_KEY]));
    await remove(
      query,
      list,
      held.filter((key) => !keys.includes(key)),
    );
    for (const row of kept) await change(query, list, row);
    const numbers = kept.length > 0 ? await numbersAfter(query, list, rows) : undefined;
    for (const [index, row] of rows.entries()) {
      if (row[ROW_KEY] !== undefined) continue;
      const line = { ...numbered(row, child, numbers ?? (() => index + 1)), ...list.belongs };
      const { text, values } = insert(source.dialect, list.table, line, child.key, list.zones);
      await query(text, values);
    }
  }
}

/** The rows of one list of one row. */
interface List {
  readonly source: Source;
  readonly child: Child;
  /** Quoted, with its schema. */
  readonly table: string;
  /** Values that all rows of the list have. */
  readonly belongs: Row;
  readonly zones: ZonedColumns;
}

function listOf(source: Source, child: Child, parent: Row): List {
  const { sql: table } = relationIn(source, child.table);
  const belongs: Row = { ...child.where };
  for (const [column, ours] of Object.entries(child.parent)) belongs[column] = parent[ours];
  return { source, child, table, belongs, zones: writtenZonesIn(source, table) };
}

/** Keys of the rows that the list has now, as the list contains them when it is read. */
async function keysOf(query: Query, { source, child, table, belongs }: List): Promise<string[]> {
  const { spell } = source.dialect;
  const from = `${table} WHERE ${equal(source.dialect, Object.keys(belongs), 0)}`;
  const [row] = await query(
    `SELECT (${spell.keyList(child.key.map(spell.quote), from)}) AS ${spell.quote('keys')}`,
    Object.values(belongs),
  );
  return listIn(row?.keys).map(String);
}

/** Deletes exactly these rows: one that was added in the meantime stays. */
async function remove(query: Query, { source, child, table, belongs }: List, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  const values = [...Object.values(belongs)];
  const rows = keys.map((key) => {
    const row = equal(source.dialect, child.key, values.length);
    values.push(...keyValues(key, child.key));
    return `(${row})`;
  });
  const own = equal(source.dialect, Object.keys(belongs), 0);
  await query(`DELETE FROM ${table} WHERE ${own} AND (${rows.join(' OR ')})`, values);
}

async function change(query: Query, list: List, { [ROW_KEY]: sentKey, ...row }: Row): Promise<void> {
  const { source, child, table, belongs, zones } = list;
  const { dialect } = source;
  const key = String(sentKey);
  const named = [...child.key, ...Object.keys(belongs)];
  const values = [...keyValues(key, child.key), ...Object.values(belongs)];
  const [held] = await query(dialect.spell.lock(table, equal(dialect, named, 0)), values);
  if (!held) throw new SystemError('rejected', `Row ${key} no longer exists, or is a row of another list`);
  const sent = withoutPlace(row, list);
  const columns = await withoutKey(query, { source, table, name: child.table, columns: child.key, key }, sent);
  const changes = assignments(dialect, columns, zones);
  if (changes.values.length === 0) return;
  const condition = equal(dialect, named, changes.values.length);
  await query(dialect.spell.update(table, changes.text, condition), [...changes.values, ...values]);
}

/**
 * The values without the columns that are the same in all rows of the list, so that custom fields cannot move a row to another
 * list.
 */
function withoutPlace(row: Row, { child, belongs }: List): Row {
  const isFixed = (column: string) => Object.hasOwn(belongs, column) && !child.key.includes(column);
  return Object.fromEntries(Object.entries(row).filter(([column]) => !isFixed(column)));
}

/** Line numbers for new rows: each is one more than the highest so far, in the table and in `rows`. */
async function numbersAfter(query: Query, list: List, rows: readonly Row[]): Promise<() => number> {
  const { source, child, table, belongs } = list;
  const { number } = child;
  if (number === undefined) return () => 0;
  const { quote } = source.dialect.spell;
  const condition = equal(source.dialect, Object.keys(belongs), 0);
  const held = await query(
    `SELECT ${quote(number)} AS number FROM ${table} WHERE ${condition}`,
    Object.values(belongs),
  );
  const numbers = [...held.map((row) => row.number), ...rows.map((row) => row[number])];
  let highest = Math.max(0, ...numbers.map(Number).filter(Number.isFinite));
  return () => {
    highest += 1;
    return highest;
  };
}

function numbered(row: Row, { number }: Child, next: () => number): Row {
  return number === undefined ? row : { ...row, [number]: row[number] ?? next() };
}
