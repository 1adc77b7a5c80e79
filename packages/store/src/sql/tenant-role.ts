import pg from 'pg';

/** Role in which every statement on the data of a connection runs; row-level security applies to it. */
export const TENANT_ROLE = 'unified_tenant';

const ALREADY_THERE = new Set(['42710', '23505']);

/**
 * Creates the role unless it exists, and grants it to the current user. Roles belong to the whole server, so several
 * databases may do this at the same time. Throws with the SQL to run when the current user may not.
 */
export async function ensureTenantRole(owner: pg.Pool): Promise<void> {
  if (await mayEnter(owner)) return;
  try {
    await createRole(owner);
    if (!(await mayEnter(owner))) await owner.query(`grant ${TENANT_ROLE} to current_user`);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    if (await mayEnter(owner)) return;
    throw new Error(await remedy(owner), { cause: error });
  }
}

/** Whether the role exists and the current user may set it. Throws when it bypasses row-level security. */
async function mayEnter(owner: pg.Pool): Promise<boolean> {
  const { rows } = await owner.query(
    `select rolsuper or rolbypassrls as unsafe,
            case when current_setting('server_version_num')::int >= 160000
              then pg_has_role(current_user, oid, 'SET') else pg_has_role(current_user, oid, 'MEMBER') end as member
       from pg_roles where rolname = $1`,
    [TENANT_ROLE],
  );
  if (rows[0]?.unsafe) {
    throw new Error(
      `Role ${TENANT_ROLE} must not bypass row-level security. Run: ALTER ROLE ${TENANT_ROLE} NOSUPERUSER NOBYPASSRLS;`,
    );
  }
  return rows[0]?.member === true;
}

async function createRole(owner: pg.Pool): Promise<void> {
  const { rowCount } = await owner.query('select 1 from pg_roles where rolname = $1', [TENANT_ROLE]);
  if (rowCount) return;
  await owner.query(`create role ${TENANT_ROLE} nologin`).catch((error: unknown) => {
    if (!(error instanceof pg.DatabaseError && ALREADY_THERE.has(error.code ?? ''))) throw error;
  });
}

async function remedy(owner: pg.Pool): Promise<string> {
  const { rows } = await owner.query('select quote_ident(current_user) as name');
  return (
    `The database user ${rows[0].name} may not create or use the role ${TENANT_ROLE}. Run once, as a superuser:\n` +
    `  CREATE ROLE ${TENANT_ROLE} NOLOGIN NOSUPERUSER NOBYPASSRLS;\n  GRANT ${TENANT_ROLE} TO ${rows[0].name};`
  );
}

/**
 * SQL that grants tenants access to a table, each to the rows of its connection.
 *
 * The setting is read in a sub-select, so once per statement; `nullif` because it is '' after a transaction that had
 * it. With `force`, the policy applies to the owner of the table as well.
 */
export function guard(table: string, force: boolean): string {
  return `
    alter table ${table} enable row level security${force ? `, force row level security` : ''};
    create policy tenant on ${table}
      using (connection_id = nullif((select current_setting('app.connection_id', true)), '')::uuid);
    grant select, insert, update, delete on ${table} to ${TENANT_ROLE};`;
}
