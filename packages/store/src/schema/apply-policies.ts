import pg from 'pg';
import { guardCondition } from '../sql/tenant-role.ts';

/** How PostgreSQL shows the condition of earlier releases, which parsed the id of the connection for each row. */
const EARLIER = '%NULLIF(( SELECT current_setting(%';

/** SQLSTATE for a lock that was not available in time. */
const LOCKED = '55P03';

/**
 * Replaces the tenant policies of earlier releases, each in a separate transaction. A table that is in use for longer, such as
 * by a backup, keeps its policy until a later update, because readers would wait with this statement, and both policies have the
 * same effect. The policies of distributed tables, which have no sub-select, stay as they are.
 */
export async function applyPolicies(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_policies
      where schemaname in ('data', 'unified') and policyname = 'tenant' and qual like $1`,
    [EARLIER],
  );
  await client.query(`set lock_timeout to '1s'`);
  try {
    for (const { name } of rows) await replacePolicy(client, name);
  } finally {
    await client.query('reset lock_timeout');
  }
}

async function replacePolicy(client: pg.ClientBase, table: string): Promise<void> {
  try {
    await client.query(`alter policy tenant on ${table} using (${guardCondition('statement')})`);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== LOCKED) throw error;
  }
}
