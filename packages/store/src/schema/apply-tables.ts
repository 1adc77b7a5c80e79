import type pg from 'pg';
import { guard } from '../sql/tenant-role.ts';
import type { Column, Table } from '../tables/derive-table.ts';
import { columnsOf, type PresentColumns } from '../tables/present-columns.ts';
import { createIndex } from './build-indexes.ts';

/**
 * Rows up to this size are stored in one piece, so that reading a document does not fetch and decompress it from another table.
 */
const KEEP_WHOLE = 8160;

/**
 * Creates the tables that are missing, with their indexes, and adds missing columns. Each table that gains columns is a
 * separate transaction, so that a reader of several tables cannot deadlock with it. Throws if the type of a column differs from
 * the contract: changes that rewrite or drop data require a written migration.
 */
export async function applyTables(client: pg.ClientBase, tables: readonly Table[]): Promise<void> {
  const present = await columnsOf(client, ['r', 'p']);
  const missing = tables.filter(({ name }) => !present.has(name));
  if (missing.length > 0) await client.query(missing.map(createTable).join(';\n'));
  for (const table of tables) await addColumns(client, table, present.get(table.name));
}

function createTable(table: Table): string {
  const lines = [...table.columns.map(columnSql), ...table.constraints].join(',\n  ');
  return [
    `create table ${table.name} (\n  ${lines}\n) with (toast_tuple_target = ${KEEP_WHOLE})`,
    ...table.indexes.map((index) => createIndex(table, index, '')),
    guard(table.name, true),
  ].join(';\n');
}

function columnSql({ name, type, notNull }: Column): string {
  return `"${name}" ${type}${notNull ? ' not null' : ''}`;
}

async function addColumns(client: pg.ClientBase, table: Table, present?: PresentColumns): Promise<void> {
  if (!present) return;
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
