import pg from 'pg';
import { TappedClient } from './row-tap.ts';
import { bindConnection } from './statement.ts';
import { QUERY_ROLE, TENANT_ROLE } from './tenant-role.ts';
import { parserOf } from './value-parser.ts';

export interface Pools {
  /** As the configured user: migrations, identity, and what concerns all connections. */
  readonly owner: pg.Pool;
  /** As the same user in the role of a tenant: everything that belongs to one connection. */
  readonly tenants: pg.Pool;
  /** As the same user in a role that can only read the records of one connection: queries of API clients. */
  readonly queries: pg.Pool;
}

/** Longest time a statement on a tenant's data may take, in milliseconds. */
const STATEMENT_TIMEOUT = 60_000;

/** Longest time a query of an API client may take, in milliseconds. */
const QUERY_TIMEOUT = 15_000;
/** Memory for each sort or hash table of such a query. */
const QUERY_MEMORY = '16MB';

/**
 * Milliseconds for which an unused client is kept. Opening one takes several round trips, which are slow when the server is
 * busy.
 */
const IDLE_MS = 300_000;

/** How values are written as text. The owner of a server, database or user may have chosen other formats. */
export const FORMS = "set datestyle to iso; set timezone to 'UTC'; set bytea_output to hex";

/**
 * Settings of the clients of pools, which are set after they have connected, because PgBouncer refuses them when a client connects.
 * The last one makes Citus send `set local` to workers; without Citus, it has no effect.
 */
const SETTINGS = `${FORMS}; set citus.propagate_set_commands to 'local'`;

export interface PoolOptions {
  /** Clients for the data of tenants; the owner has half as many. */
  readonly size: number;
  /** Longest time to wait for a client, in milliseconds. */
  readonly connectTimeoutMs: number;
  /** Called when an idle client loses its connection; the pools replace it automatically. */
  readonly onError: (error: Error) => void;
}

/** The pools in which records are read. */
export type ReadPools = Pick<Pools, 'tenants' | 'queries'>;

export interface ReadPoolOptions extends PoolOptions {
  /** Called first with each new client. If it rejects, the client is not used. */
  readonly onConnect?: (client: pg.ClientBase) => Promise<void>;
}

/** Opens the pools. */
export function openPools(url: string, options: PoolOptions): Pools {
  const { size, onError } = options;
  const owner = new pg.Pool({
    ...baseOf(url, options),
    application_name: 'unified',
    max: Math.max(2, Math.ceil(size / 2)),
    onConnect: async (client) => void (await client.query(SETTINGS)),
  });
  reportErrors(owner, onError);
  return { owner, ...openReadPools(url, options) };
}

/** Opens the pools in which records are read, on the primary or a replica. */
export function openReadPools(url: string, options: ReadPoolOptions): ReadPools {
  const { size, onError, onConnect } = options;
  const base = baseOf(url, options);
  const tenants = new pg.Pool({
    ...base,
    Client: TappedClient,
    application_name: 'unified tenant',
    max: size,
    onConnect: onConnect ? async (client) => onConnect(client).then(() => enterRole(client)) : enterRole,
  });
  const queries = new pg.Pool({
    ...base,
    application_name: 'unified query',
    max: Math.max(1, Math.ceil(size / 4)),
    onConnect: onConnect ? async (client) => onConnect(client).then(() => enterQueryRole(client)) : enterQueryRole,
  });
  for (const pool of [tenants, queries]) reportErrors(pool, onError);
  return { tenants, queries };
}

function baseOf(url: string, { connectTimeoutMs }: Pick<PoolOptions, 'connectTimeoutMs'>) {
  return {
    connectionString: url,
    types: { getTypeParser: parserOf } as pg.CustomTypesConfig,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: IDLE_MS,
    keepAlive: true,
  };
}

/** Reports clients that break, whether they are idle or in use; the pool replaces them. */
export function reportErrors(pool: pg.Pool, onError: (error: Error) => void): void {
  pool.on('error', onError);
  // A client in use has no listener of the pool. Without one, a broken connection would end the process.
  pool.on('connect', (client) => client.on('error', onError));
}

/**
 * The key of every table begins with the connection, so an index is always appropriate for a tenant. A plan that was made while
 * a table was small must not read the whole table once it has grown.
 */
async function enterRole(client: pg.ClientBase): Promise<void> {
  const limit = `set statement_timeout to ${STATEMENT_TIMEOUT}`;
  await client.query(`${SETTINGS}; ${limit}; set role ${TENANT_ROLE}; set enable_seqscan = off`);
  await client.query({ ...bindConnection, values: [''] });
}

/** Queries of API clients may read whole tables if that is the best plan. Each uses one core at most. */
async function enterQueryRole(client: pg.ClientBase): Promise<void> {
  const memory = `set work_mem to '${QUERY_MEMORY}'; set jit to off; set max_parallel_workers_per_gather to 0`;
  const limits = `set statement_timeout to ${QUERY_TIMEOUT}; ${memory}`;
  await client.query(`${SETTINGS}; set role ${QUERY_ROLE}; set default_transaction_read_only to on; ${limits}`);
  await client.query({ ...bindConnection, values: [''] });
}
