import type pg from 'pg';
import { TENANT_ROLE } from '../sql/tenant-role.ts';
import type { View } from '../tables/derive-view.ts';

/** Removes all views, which hold no data and would keep the columns that they show from changing. */
export async function dropViews(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select format('data.%I', relname) as name from pg_class where relnamespace = to_regnamespace('data') and relkind = 'v'`,
  );
  if (rows.length > 0) await client.query(`drop view ${rows.map(({ name }) => name).join(', ')}`);
}

/** Makes the views. `security_invoker`: a tenant sees the rows that the tables would show it, not those of the owner. */
export async function createViews(client: pg.ClientBase, views: readonly View[]): Promise<void> {
  for (const { name, query } of views) {
    await client.query(`create view ${name} with (security_invoker = true) as\n${query}`);
    await client.query(`grant select on ${name} to ${TENANT_ROLE}`);
  }
}
