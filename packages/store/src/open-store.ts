import type { Entity } from '@unified/contract';
import { createApplicationScope } from './access/application-scope.ts';
import type { ContentStorage } from './access/content-storage.ts';
import { createScope } from './access/scope.ts';
import { bindInternals, type Store } from './access/store.ts';
import { postgresStorage } from './contents/postgres-storage.ts';
import { readsOn } from './replicas/reads-on.ts';
import { type ReplicaOptions, Replicas } from './replicas/replicas.ts';
import type { SecretKey } from './secrets/secret-key.ts';
import { fairClients } from './sql/fair-clients.ts';
import { isDistributed } from './sql/joint-commits.ts';
import { createListener } from './sql/listener.ts';
import { createNotices } from './sql/notices.ts';
import { openPools, type Pools } from './sql/pools.ts';
import { ensureRoles } from './sql/tenant-role.ts';

export interface StoreOptions {
  /** `postgres://…`; PostgreSQL 15 to 18. */
  readonly databaseUrl: string;
  /** Where clients reach the service, without a trailing slash; `href` of references begins with it. */
  readonly publicUrl: string;
  /** Entities that have tables, by name. */
  readonly entities: Readonly<Record<string, Entity>>;
  /**
   * Number of database connections for the data of customers, plus half as many for other purposes. One application uses at
   * most this number less two, so that others are not blocked. Defaults to 10.
   */
  readonly poolSize?: number;
  /** Longest time that a request waits for one of these connections, in milliseconds. Defaults to 10,000. */
  readonly connectTimeoutMs?: number;
  /** Key for settings at rest; without it, connections can neither be created nor opened. */
  readonly key?: SecretKey;
  /** Where the bytes of files are stored; by default in the database. */
  readonly contents?: ContentStorage;
  /** Replicas of the database, on which records are read. */
  readonly replicas?: ReplicaOptions | undefined;
  /** Called when a database connection breaks; the store replaces it automatically. */
  readonly onError?: (error: Error) => void;
}

const NO_REPLICAS =
  'The database is distributed over several servers. A replica of its coordinator has no records: remove DATABASE_REPLICA_URLS.';
const OLDEST = 150_000;
/** Number of database clients that the requests of one application leave to other applications. */
const LEFT_TO_OTHERS = 2;

/**
 * Opens the database. Throws when it cannot be reached, is older than PostgreSQL 15, or the user may not use the roles
 * `unified_tenant` and `unified_query` (the message contains the SQL to run).
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { poolSize: size = 10, connectTimeoutMs = 10_000, onError = () => {} } = options;
  const pools = openPools(options.databaseUrl, { size, connectTimeoutMs, onError });
  const listener = createListener(options.databaseUrl, onError);
  const notices = createNotices(listener);
  const limits = { most: Math.max(1, size - LEFT_TO_OTHERS), waitMs: connectTimeoutMs };
  const queryLimits = { most: Math.max(1, Math.ceil(size / 4) - 1), waitMs: connectTimeoutMs };
  let replicas: Replicas | undefined;
  let inDistributed: boolean;
  const close = async () => {
    await replicas?.close();
    notices.close();
    await listener.close();
    await Promise.all(Object.values(pools).map((pool) => pool.end()));
  };
  try {
    await checkServer(pools);
    inDistributed = await isDistributed(pools.owner);
    if (inDistributed && options.replicas && options.replicas.urls.length > 0) throw new Error(NO_REPLICAS);
    await ensureRoles(pools.owner);
  } catch (error) {
    await close();
    throw error;
  }
  const { publicUrl, entities, contents = postgresStorage } = options;
  const clientsOf = fairClients(pools.tenants, limits);
  const queriesOf = fairClients(pools.queries, queryLimits);
  if (options.replicas && options.replicas.urls.length > 0)
    replicas = new Replicas(options.replicas, { size, tenants: limits, queries: queryLimits }, pools.owner);
  const surroundings = { clientsOf, queriesOf, publicUrl, entities, contents, notices, isDistributed: inDistributed };
  const store: Store = {
    publicUrl,
    entities,
    scope: (of) => createScope(of, surroundings),
    readingScope: (of, after) => createScope(of, surroundings, replicas && readsOn(replicas, of, after)),
    application: (applicationId) => createApplicationScope(store, applicationId),
    close,
  };
  const { key, databaseUrl } = options;
  bindInternals(store, { ...pools, isDistributed: inDistributed, listener, replicas, onError, key, databaseUrl });
  return store;
}

async function checkServer({ owner }: Pools): Promise<void> {
  const { rows } = await owner.query(`select current_setting('server_version_num')::int as version,
    current_setting('server_version') as label, current_setting('server_encoding') as encoding`);
  const { version, label, encoding } = rows[0];
  if (version < OLDEST) throw new Error(`PostgreSQL ${label} is too old: 15 or newer is required.`);
  if (encoding !== 'UTF8') throw new Error(`The database is encoded in ${encoding}: UTF8 is required.`);
}
