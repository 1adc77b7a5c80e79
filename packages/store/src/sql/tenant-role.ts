import pg from 'pg';

/** Role in which every statement on the data of a connection runs; row-level security applies to it. */
export const TENANT_ROLE = 'unified_tenant';

/**
 * Role in which the queries of API clients run (MQL). Row-level security applies to it, and it may only read the records of
 * entities.
 */
export const QUERY_ROLE = 'unified_query';

/** The roles that the user of the service acts in. */
export const ROLES: readonly string[] = [TENANT_ROLE, QUERY_ROLE];

const ALREADY_THERE = new Set(['42710', '23505']);

/**
 * Creates the roles unless they exist, and grants them to the current user. Roles belong to the whole server, so several
 * databases may do this at the same time. Throws an error with the SQL to run if the current user is not allowed to do this.
 */
export async function ensureRoles(owner: pg.Pool): Promise<void> {
  for (const role of ROLES) await ensureRole(owner, role);
}

async function ensureRole(owner: pg.Pool, role: string): Promise<void> {
  if (await mayEnter(owner, role)) return;
  try {
    await createRole(owner, role);
    if (!(await mayEnter(owner, role))) await owner.query(`grant ${role} to current_user`);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    if (await mayEnter(owner, role)) return;
    throw new Error(await remedy(owner), { cause: error });
  }
}

/** Whether the role exists and the current user may switch to it. Throws when it bypasses row-level security. */
async function mayEnter(owner: pg.Pool, role: string): Promise<boolean> {
  const { rows } = await owner.query(
    `select rolsuper or rolbypassrls as unsafe,
            case when current_setting('server_version_num')::int >= 160000
              then pg_has_role(current_user, oid, 'SET') else pg_has_role(current_user, oid, 'MEMBER') end as member
       from pg_roles where rolname = $1`,
    [role],
  );
  if (rows[0]?.unsafe) {
    throw new Error(
      `Role ${role} must not bypass row-level security. Run: ALTER ROLE ${role} NOSUPERUSER NOBYPASSRLS;`,
    );
  }
  return rows[0]?.member === true;
}

async function createRole(owner: pg.Pool, role: string): Promise<void> {
  const { rowCount } = await owner.query('select 1 from pg_roles where rolname = $1', [role]);
  if (rowCount) return;
  await owner.query(`create role ${role} nologin`).catch((error: unknown) => {
    if (!(error instanceof pg.DatabaseError && ALREADY_THERE.has(error.code ?? ''))) throw error;
  });
}

/** The SQL to run for all roles that the user lacks. */
async function remedy(owner: pg.Pool): Promise<string> {
  const { rows } = await owner.query('select quote_ident(current_user) as name');
  const mayEnterAll = await Promise.all(ROLES.map((role) => mayEnter(owner, role)));
  const missing = ROLES.filter((_, at) => !mayEnterAll[at]);
  const statements = missing.flatMap((role) => [
    `  CREATE ROLE ${role} NOLOGIN NOSUPERUSER NOBYPASSRLS;`,
    `  GRANT ${role} TO ${rows[0].name};`,
  ]);
  return (
    `The database user ${rows[0].name} may not create or use the roles ${missing.join(' and ')}. Run once, as a superuser:\n` +
    statements.join('\n')
  );
}

/**
 * SQL that grants tenants access to a table, each to the rows of its connection.
 *
 * With `force`, the policy applies to the owner of the table as well.
 */
export function guard(table: string, force: boolean): string {
  return `
    alter table ${table} enable row level security${force ? `, force row level security` : ''};
    create policy tenant on ${table}
      using (${guardCondition('statement')});
    grant select, insert, update, delete on ${table} to ${TENANT_ROLE};`;
}

/**
 * SQL condition that a row belongs to the connection of the transaction. The id is read and parsed in a sub-select, so only once
 * per statement, where that is possible. `nullif` is needed because the setting is '' after a transaction in which it was set.
 */
export function guardCondition(read: 'statement' | 'each row'): string {
  const id = `nullif(current_setting('app.connection_id', true), '')::uuid`;
  return `connection_id = ${read === 'statement' ? `(select ${id})` : id}`;
}
