import pg from 'pg';
import { RemediedError } from '../remedied-error.ts';
import { QUERY_ROLE, ROLES, TENANT_ROLE } from '../sql/tenant-role.ts';

/** The servers of a database with Citus. */
export interface CitusCluster {
  readonly version: string;
  /** Servers that have shards: `10.0.0.2:5432`. */
  readonly workers: readonly string[];
}

/** Thrown if a database cannot be distributed yet. */
export class ClusterRefusal extends RemediedError {
  override readonly name = 'ClusterRefusal';
}

/** Oldest version of Citus that is tested. */
const OLDEST = 13;

/** The servers of the database. Throws `ClusterRefusal` if it has no Citus, or no workers. */
export async function clusterOf(client: pg.ClientBase): Promise<CitusCluster> {
  const { rows } = await client.query<{ version: string }>(
    `select extversion as version from pg_extension where extname = 'citus'`,
  );
  const version = rows[0]?.version;
  if (version === undefined)
    throw new ClusterRefusal(
      'This database does not have the extension Citus.',
      'Run on all servers, in this database, as a superuser: CREATE EXTENSION citus;',
    );
  if (Number.parseInt(version, 10) < OLDEST)
    throw new ClusterRefusal(`Citus ${version} is too old.`, `Install Citus ${OLDEST} or newer on all servers.`);
  const nodes = await client.query<{ name: string; isCoordinator: boolean; hasShards: boolean }>(
    `select format('%s:%s', nodename, nodeport) as name, groupid = 0 as "isCoordinator", shouldhaveshards as "hasShards"
       from pg_dist_node where isactive and noderole = 'primary' order by nodeid`,
  );
  if (!nodes.rows.some(({ isCoordinator }) => isCoordinator))
    throw new ClusterRefusal(
      'This server is not the coordinator of a cluster yet.',
      `Run here, as a superuser: SELECT citus_set_coordinator_host('<its address>');`,
    );
  const workers = nodes.rows.filter(({ hasShards }) => hasShards).map(({ name }) => name);
  if (workers.length === 0)
    throw new ClusterRefusal(
      'The cluster has no worker.',
      `Run here, as a superuser, for each worker: SELECT citus_add_node('<its address>', 5432);`,
    );
  return { version, workers };
}

/** Settings of the sessions that the coordinator opens on workers, by role; the service makes the same ones on the coordinator. */
const SETTINGS: Readonly<Record<string, readonly string[]>> = {
  [TENANT_ROLE]: [`timezone to 'UTC'`, 'enable_seqscan to off'],
  [QUERY_ROLE]: [`timezone to 'UTC'`],
  current_user: [`timezone to 'UTC'`],
};

/**
 * Allows the roles of the service to log in, because the coordinator connects to workers in the role of each statement. Throws
 * `ClusterRefusal` if the current user may not change the roles.
 */
export async function prepareRoles(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ name: string }>('select quote_ident(current_database()) as name');
  const statements = [
    ...ROLES.map((role) => `alter role ${role} login`),
    ...Object.entries(SETTINGS).flatMap(([role, settings]) =>
      settings.map((setting) => `alter role ${role} in database ${rows[0]?.name} set ${setting}`),
    ),
  ];
  try {
    for (const statement of statements) await client.query(statement);
  } catch (error) {
    throw new ClusterRefusal(
      `The roles could not be changed: ${error instanceof Error ? error.message : error}.`,
      `Allow this user to create roles, as a superuser: ALTER ROLE … CREATEROLE; then GRANT ${ROLES.join(', ')} TO … WITH ADMIN OPTION;`,
    );
  }
}

/**
 * Signs in to each worker in each role of the service, as statements will. Throws `ClusterRefusal` for the first role that a worker
 * refuses: lists and records would fail.
 */
export async function checkLogins(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ user: string }>('select current_user as user');
  for (const role of [...ROLES, rows[0]?.user ?? '']) {
    await client.query(`set role ${pg.escapeIdentifier(role)}`);
    const refused = await client.query<{ worker: string; reason: string }>(
      `select format('%s:%s', nodename, nodeport) as worker, result as reason from run_command_on_workers('select 1') where not success`,
    );
    await client.query('reset role');
    const [first] = refused.rows;
    if (first)
      throw new ClusterRefusal(
        `${role} cannot sign in to the worker ${first.worker}: ${first.reason}.`,
        `Run here, as a superuser: ALTER ROLE ${role} PASSWORD '…'; and store the password for each worker in .pgpass of the system user of PostgreSQL.`,
      );
  }
}
