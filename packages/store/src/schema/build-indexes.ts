import type pg from 'pg';
import type { Index, Table } from '../tables/derive-table.ts';

/**
 * Builds the indexes that tables lack, one after another, while others read and write the tables: each statement is a separate
 * transaction. An index that an earlier process did not finish is invalid; it is dropped and built again.
 */
export async function buildIndexes(client: pg.ClientBase, tables: readonly Table[]): Promise<void> {
  const present = await presentIndexes(client);
  for (const table of tables) {
    for (const index of table.indexes) {
      const isValid = present.get(index.name);
      if (isValid === true) continue;
      if (isValid === false) await client.query(`drop index concurrently data."${index.name}"`);
      await client.query(createIndex(table, index, 'concurrently'));
    }
  }
}

/** SQL that creates an index. Without `concurrently`, writers wait until it is built. */
export function createIndex(table: Table, { name, definition }: Index, how: 'concurrently' | ''): string {
  return `create index ${how} "${name}" on ${table.name} ${definition}`;
}

/** Whether each index of the schema `data` is valid, by name. */
async function presentIndexes(client: pg.ClientBase): Promise<ReadonlyMap<string, boolean>> {
  const { rows } = await client.query<{ name: string; isValid: boolean }>(
    `select relname as name, indisvalid as "isValid" from pg_class join pg_index on indexrelid = pg_class.oid
      where relnamespace = 'data'::regnamespace`,
  );
  return new Map(rows.map(({ name, isValid }) => [name, isValid]));
}
