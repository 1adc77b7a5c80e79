import pg from 'pg';
import { parserOf } from './column-types.ts';
import { bindConnection } from './scoped-statement.ts';
import { TENANT_ROLE } from './tenant-role.ts';

export interface Pools {
  /** The given user: migrations, identity, and what concerns all connections. */
  readonly owner: pg.Pool;
  /** The same user in the role of a tenant: everything that belongs to one connection. */
  readonly tenants: pg.Pool;
}

/** Longest time a statement on a tenant's data may take, in milliseconds. */
const STATEMENT_TIMEOUT = 60_000;

/**
 * Milliseconds for which an unused client is kept. Opening one takes several round trips, which last long exactly when the
 * server is busy.
 */
const IDLE_MS = 300_000;

/** How values are written as text: the owner of a server, a database or a user may have chosen other forms. */
const FORMS = "set datestyle to iso; set timezone to 'UTC'; set bytea_output to hex";

export interface PoolOptions {
  /** Clients for the data of tenants; the owner has half as many. */
  readonly size: number;
  /** Longest time to wait for a client, in milliseconds. */
  readonly connectTimeoutMs: number;
  /** Is called when an idle client loses its connection; the pools replace it automatically. */
  readonly onError: (error: Error) => void;
}

/** Opens both pools. */
export function openPools(url: string, { size, connectTimeoutMs, onError }: PoolOptions): Pools {
  const types = { getTypeParser: parserOf } as pg.CustomTypesConfig;
  const base = {
    connectionString: url,
    types,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: IDLE_MS,
    keepAlive: true,
  };
  const owner = new pg.Pool({
    ...base,
    application_name: 'unified',
    max: Math.max(2, Math.ceil(size / 2)),
    onConnect: async (client) => void (await client.query(FORMS)),
  });
  const tenants = new pg.Pool({
    ...base,
    application_name: 'unified tenant',
    max: size,
    statement_timeout: STATEMENT_TIMEOUT,
    onConnect: enterRole,
  });
  for (const pool of [owner, tenants]) {
    pool.on('error', onError);
    // A client in use has no listener of the pool; without one a broken connection would end the process.
    pool.on('connect', (client) => client.on('error', onError));
  }
  return { owner, tenants };
}

/**
 * Every table is led by the connection, so an index is always right for a tenant: a plan made while a table was small must
 * not read all of it when it has grown.
 */
async function enterRole(client: pg.ClientBase): Promise<void> {
  await client.query(`${FORMS}; set role ${TENANT_ROLE}; set enable_seqscan = off`);
  await client.query({ ...bindConnection, values: [''] });
}
