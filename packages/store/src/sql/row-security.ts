import { TENANT_ROLE } from './tenant-role.ts';

/**
 * SQL that grants tenants access to a table, each to the rows of its own connection.
 *
 * The setting is read in a sub-select, so once per statement; `nullif` because it is '' after a transaction that had it.
 * `force` binds the owner of the table too.
 */
export function guard(table: string, force: boolean): string {
  return `
    alter table ${table} enable row level security${force ? `, force row level security` : ''};
    create policy tenant on ${table}
      using (connection_id = nullif((select current_setting('app.connection_id', true)), '')::uuid);
    grant select, insert, update, delete on ${table} to ${TENANT_ROLE};`;
}
