import type pg from 'pg';
import { isDistributed, JOINT_COMMITS } from '../sql/joint-commits.ts';
import { guardCondition } from '../sql/tenant-role.ts';
import { DISTRIBUTION_COLUMN, type PlacedTable, placementOf } from './placements.ts';

/** A table of this service, as the catalog of the coordinator describes it. */
export interface StoredTable extends PlacedTable {
  /** Its name as SQL. */
  readonly sql: string;
  /** Whether Citus has distributed it. */
  readonly isDistributed: boolean;
  /** Names of its foreign keys, as SQL. */
  readonly foreignKeys: readonly string[];
}

/** The tables of this service in a database with Citus, which hides its shards from the catalog. */
export async function storedTables(client: pg.ClientBase): Promise<StoredTable[]> {
  const { rows } = await client.query<StoredTable>(
    `select nspname || '.' || relname as name, format('%I.%I', nspname, relname) as sql,
            exists (select from pg_dist_partition where logicalrelid = c.oid and partmethod = 'h') as "isDistributed",
            array(select attname::text from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped) as columns,
            array(select quote_ident(conname) from pg_constraint where conrelid = c.oid and contype = 'f') as "foreignKeys"
       from pg_class c join pg_namespace on pg_namespace.oid = relnamespace
      where nspname in ('unified', 'data') and relkind in ('r', 'p') and not relispartition
      order by 1`,
  );
  return rows;
}

/** Whether a table is to be distributed and is not yet. */
export function isDue(table: StoredTable): boolean {
  return placementOf(table) === 'distributed' && !table.isDistributed;
}

/**
 * Distributes a table with its rows, in one transaction: an interrupted run leaves it where it was. Nothing may use it in the
 * meantime.
 */
export async function distributeTable(client: pg.ClientBase, table: StoredTable): Promise<void> {
  await client.query('begin');
  try {
    for (const name of table.foreignKeys) await client.query(`alter table ${table.sql} drop constraint ${name}`);
    // Citus refuses policies with sub-selects. As the owner, it copies and moves only the rows that the policy does not hide.
    await client.query(`alter policy tenant on ${table.sql} using (${guardCondition('each row')})`);
    await client.query(`alter table ${table.sql} no force row level security`);
    // All tables whose column has this type are co-located.
    await client.query(`select create_distributed_table($1, '${DISTRIBUTION_COLUMN}')`, [table.sql]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
  await removeLocalRows(client, table);
}

/** Removes the rows that were copied to workers from the table of the coordinator, where nothing reads them. */
export async function removeLocalRows(client: pg.ClientBase, table: StoredTable): Promise<void> {
  await client.query('select truncate_local_data_after_distributing_table($1)', [table.sql]);
}

/** Marks the database as distributed. */
export async function markDistributed(client: pg.ClientBase, roles: readonly string[]): Promise<void> {
  if (await isDistributed(client)) return;
  await client.query('begin');
  await client.query(`create table ${JOINT_COMMITS} (id integer)`);
  await client.query(`select citus_add_local_table_to_metadata('${JOINT_COMMITS}')`);
  for (const role of roles) await client.query(`grant select, delete on ${JOINT_COMMITS} to ${role}`);
  await client.query('commit');
}

/** Distributes the tables that an update of the service has added. Does nothing in a database that is not distributed. */
export async function keepDistributed(client: pg.ClientBase): Promise<void> {
  if (!(await isDistributed(client))) return;
  for (const table of (await storedTables(client)).filter(isDue)) await distributeTable(client, table);
}
