import type pg from 'pg';
import { guard } from '../sql/row-security.ts';
import type { Column, Index, Table } from '../tables/derive-table.ts';

/** Rows up to this size stay in one piece: reading a document must not fetch and unpack it from elsewhere. */
const KEEP_WHOLE = 8160;

/** Columns by table and column: their types. */
type Existing = ReadonlyMap<string, ReadonlyMap<string, string>>;

/**
 * Adds the tables, columns and indexes that are missing. Throws when a column has another type than the contract says:
 * what rewrites or drops is a written migration.
 */
export async function applyTables(client: pg.ClientBase, tables: readonly Table[]): Promise<void> {
  const columns = await existingColumns(client);
  const indexes = await existingIndexes(client);
  for (const table of tables) {
    const present = columns.get(table.name);
    if (present) await addColumns(client, table, present);
    else await client.query(createTable(table));
    await addIndexes(client, table, indexes);
  }
}

function createTable(table: Table): string {
  const lines = [...table.columns.map(columnSql), ...table.constraints].join(',\n  ');
  return `create table ${table.name} (\n  ${lines}\n) with (toast_tuple_target = ${KEEP_WHOLE});\n${guard(table.name, true)}`;
}

function columnSql({ name, type, notNull }: Column): string {
  return `"${name}" ${type}${notNull ? ' not null' : ''}`;
}

async function addColumns(client: pg.ClientBase, table: Table, present: ReadonlyMap<string, string>): Promise<void> {
  const missing: string[] = [];
  for (const column of table.columns) {
    const type = present.get(column.name);
    if (type === undefined) missing.push(`add column "${column.name}" ${column.type}`);
    else if (type !== column.type) throw new Error(mismatch(table, column, type));
  }
  if (missing.length > 0) await client.query(`alter table ${table.name} ${missing.join(', ')}`);
}

function mismatch(table: Table, column: Column, type: string): string {
  const wanted = `alter table ${table.name} alter column "${column.name}" type ${column.type}`;
  return `${table.name}."${column.name}" is ${type} but the contract needs ${column.type}. Write a migration: ${wanted} using …`;
}

async function addIndexes(client: pg.ClientBase, table: Table, present: ReadonlySet<string>): Promise<void> {
  const missing = table.indexes.filter((index) => !present.has(index.name));
  for (const index of missing) await client.query(indexSql(table, index));
}

function indexSql(table: Table, { name, definition }: Index): string {
  return `create index "${name}" on ${table.name} ${definition}`;
}

async function existingColumns(client: pg.ClientBase): Promise<Existing> {
  const { rows } = await client.query<{ table: string; name: string; type: string }>(`
    select c.relname as table, a.attname as name, replace(format_type(a.atttypid, a.atttypmod), 'timestamp with time zone', 'timestamptz') as type
      from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = 'data'::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped`);
  const tables = new Map<string, Map<string, string>>();
  for (const { table, name, type } of rows) {
    const quoted = `data."${table}"`;
    const columns = tables.get(quoted) ?? new Map<string, string>();
    tables.set(quoted, columns.set(name, type));
  }
  return tables;
}

async function existingIndexes(client: pg.ClientBase): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'data'::regnamespace and relkind in ('i', 'I')`,
  );
  return new Set(rows.map(({ name }) => name));
}
