import type { Entity } from '@unified/contract';
import type pg from 'pg';
import type { ContentStorage } from './contents/content-storage.ts';
import { postgresStorage } from './contents/postgres-storage.ts';
import type { SecretKey } from './identity/secret-key.ts';
import { createListener, type Listener } from './listener.ts';
import { createScope, type Scope, type ScopeOf } from './scope.ts';
import { openPools, type Pools } from './sql/pools.ts';
import { withClient } from './sql/session.ts';
import { ensureTenantRole } from './sql/tenant-role.ts';

export interface StoreOptions {
  /** `postgres://…`; PostgreSQL 15 to 18. */
  readonly databaseUrl: string;
  /** Where clients reach the service, without a trailing slash; `href` of references begins with it. */
  readonly publicUrl: string;
  /** Entities that have tables, by name. */
  readonly entities: Readonly<Record<string, Entity>>;
  /** Database connections for the data of customers; others come on top (half as many). Default 10. */
  readonly poolSize?: number;
  /** Milliseconds that a request waits for one of these at the most. Default 10 000. */
  readonly connectTimeoutMs?: number;
  /** Key for settings at rest; without it, connections can neither be made nor opened. */
  readonly key?: SecretKey;
  /** Where the bytes of files lie; in the database unless told otherwise. */
  readonly contents?: ContentStorage;
  /** Hears of database connections that broke; the store replaces them by itself. */
  readonly onError?: (error: Error) => void;
}

/** The data of the service. */
export interface Store {
  readonly publicUrl: string;
  readonly entities: Readonly<Record<string, Entity>>;
  /** Binds to one connection of one application. Every access to data goes through a scope. */
  scope(of: ScopeOf): Scope;
  /** Ends all database connections. */
  close(): Promise<void>;
}

/** What the modules of this package need of a store; other packages cannot reach it. */
export interface Internals extends Pools {
  readonly databaseUrl: string;
  readonly listener: Listener;
  readonly key: SecretKey | undefined;
  readonly onError: (error: Error) => void;
}

const internals = new WeakMap<Store, Internals>();

/** The inside of a store, for the modules of this package. */
export function internalsOf(store: Store): Internals {
  const found = internals.get(store);
  if (!found) throw new Error('This store was not made by openStore.');
  return found;
}

/** The key of secrets at rest. Throws when the store was opened without one. */
export function keyOf(store: Store): SecretKey {
  const { key } = internalsOf(store);
  if (!key) throw new Error('Secrets are encrypted at rest: open the store with a key (see loadKey).');
  return key;
}

/** Runs one statement on what concerns all connections, such as identity. Throws SERVICE_UNAVAILABLE. */
export function asOwner<Row extends pg.QueryResultRow>(
  store: Store,
  query: string | pg.QueryConfig,
  values?: unknown[],
): Promise<pg.QueryResult<Row>> {
  return withClient(internalsOf(store).owner, (client) => client.query<Row>(query, values));
}

/** Throws SERVICE_UNAVAILABLE when the database does not answer. */
export async function ping(store: Store): Promise<void> {
  await asOwner(store, 'select 1');
}

const OLDEST = 150_000;

/**
 * Opens the database. Throws when it cannot be reached, is older than PostgreSQL 15, or the user may not have the role
 * `unified_tenant` (the message holds the SQL to run).
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { poolSize: size = 10, connectTimeoutMs = 10_000, onError = () => {} } = options;
  const pools = openPools(options.databaseUrl, { size, connectTimeoutMs, onError });
  const listener = createListener(options.databaseUrl, onError);
  const close = async () => {
    await listener.close();
    await Promise.all([pools.owner.end(), pools.tenants.end()]);
  };
  try {
    await checkServer(pools);
    await ensureTenantRole(pools.owner);
  } catch (error) {
    await close();
    throw error;
  }
  const { publicUrl, entities, contents = postgresStorage } = options;
  const store: Store = {
    publicUrl,
    entities,
    scope: (of) => createScope(of, { tenants: pools.tenants, publicUrl, entities, contents }),
    close,
  };
  internals.set(store, { ...pools, listener, onError, key: options.key, databaseUrl: options.databaseUrl });
  return store;
}

async function checkServer({ owner }: Pools): Promise<void> {
  const { rows } = await owner.query(`select current_setting('server_version_num')::int as version,
    current_setting('server_version') as label, current_setting('server_encoding') as encoding`);
  const { version, label, encoding } = rows[0];
  if (version < OLDEST) throw new Error(`PostgreSQL ${label} is too old: 15 or newer is needed.`);
  if (encoding !== 'UTF8') throw new Error(`The database is encoded in ${encoding}: UTF8 is needed.`);
}
