import { withConnection } from '../sql/own-connection.ts';
import { ROLES } from '../sql/tenant-role.ts';

/** Roles that log in to the databases of the service. None of them is a superuser, and each owns only its databases. */
export type Login = 'unified_owner' | 'unified_system';

/** Login of the database `unified`. */
export const OWNER: Login = 'unified_owner';
/**
 * Login of databases that represent a connected system, such as the sandbox. It cannot connect to the database
 * `unified`.
 */
export const SYSTEM: Login = 'unified_system';

const RIGHTS = 'login nosuperuser nocreatedb nocreaterole noreplication nobypassrls';

/** Creates the logins if they do not exist, with these passwords, and allows the owner to act in the roles of the service. */
export async function ensureLogins(superuserUrl: string, passwords: Readonly<Record<Login, string>>): Promise<void> {
  await withConnection(superuserUrl, async (client) => {
    const { rows } = await client.query<{ rolname: string }>('select rolname from pg_roles');
    const existing = new Set(rows.map(({ rolname }) => rolname));
    const makeOrChange = (role: string) => `${existing.has(role) ? 'alter' : 'create'} role ${role}`;
    const logins = Object.entries(passwords).map(
      ([login, password]) => `${makeOrChange(login)} ${RIGHTS} password ${client.escapeLiteral(password)};`,
    );
    // A statement that fails is written to the server's log, and these contain passwords.
    await client.query('set log_min_error_statement to panic');
    await client.query(
      `${logins.join('\n')}
       ${ROLES.map((role) => (existing.has(role) ? '' : `create role ${role} nologin;`)).join('\n')}
       grant ${ROLES.join(', ')} to ${OWNER}`,
    );
  });
}
