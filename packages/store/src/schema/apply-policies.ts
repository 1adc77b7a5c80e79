import type pg from 'pg';
import { guardCondition } from '../sql/tenant-role.ts';

/** How PostgreSQL shows the condition of earlier releases, which parsed the id of the connection for each row. */
const EARLIER = '%NULLIF(( SELECT current_setting(%';

/**
 * Replaces the tenant policies of earlier releases. Each table is a separate transaction, so that a reader of several tables
 * cannot deadlock with it. The policies of distributed tables, which have no sub-select, stay as they are.
 */
export async function applyPolicies(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_policies
      where schemaname in ('data', 'unified') and policyname = 'tenant' and qual like $1`,
    [EARLIER],
  );
  for (const { name } of rows)
    await client.query(`alter policy tenant on ${name} using (${guardCondition('statement')})`);
}
