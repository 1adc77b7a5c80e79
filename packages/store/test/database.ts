import type { Entity } from '@unified/contract';
import pg from 'pg';
import { afterAll } from 'vitest';
import {
  loadKey,
  migrate,
  openStore,
  type ReplicaOptions,
  type Scope,
  type ScopeOf,
  type Store,
} from '../src/index.ts';
import { entities as gadgets } from './gadget.ts';
import { migrated, type PreparedServer, startPrepared } from './prepared-server.ts';

export interface TestDatabase {
  readonly store: Store;
  readonly url: string;
  /** Folder with the files of the server. */
  readonly dataDir: string;
  /** A connection that has no data yet. */
  readonly freshScope: () => Scope;
  /** Opens one more store on the same database. */
  readonly open: (options?: {
    publicUrl?: string;
    entities?: Record<string, Entity>;
    poolSize?: number;
    replicas?: ReplicaOptions;
  }) => Promise<Store>;
  /** The superuser, without access restrictions. */
  readonly admin: pg.Client;
  /** URL of a database of the server for the superuser. */
  readonly adminUrl: (database: string) => string;
}

/** Statistics and vacuum do not run automatically, because they would affect plans and transaction times. */
const settings = { shared_buffers: '64MB', autovacuum: 'off' };

const PUBLIC_URL = 'https://api.test';

/** The tables of the gadgets, without data. */
export const gadgetTables = migrated('gadgets', gadgets, PUBLIC_URL);

/** A separate, migrated PostgreSQL for a test file, with these settings; stopped after the last test. */
export async function testDatabase(more: Readonly<Record<string, string>> = {}): Promise<TestDatabase> {
  return databaseOn(await startPrepared(gadgetTables, { ...settings, ...more }));
}

/** The database of a server that is removed after the last test. */
export async function databaseOn(server: PreparedServer): Promise<TestDatabase> {
  const { dataDir } = server;
  const key = await loadKey(undefined, dataDir);
  const closing: (() => Promise<void>)[] = [];
  const open: TestDatabase['open'] = async ({
    publicUrl = PUBLIC_URL,
    entities = gadgets,
    poolSize = 10,
    replicas,
  } = {}) => {
    // Generous, because the machine may be busy.
    const options = { databaseUrl: server.url, connectTimeoutMs: 60_000, publicUrl, entities, key, poolSize, replicas };
    const store = await openStore(options);
    closing.push(() => store.close());
    return store;
  };
  const store = await open();
  await migrate(store);
  const adminUrl = server.superuserUrl;
  const admin = new pg.Client(adminUrl('unified'));
  // A test may kill the server.
  admin.on('error', () => {});
  await admin.connect();
  closing.push(() => admin.end());
  afterAll(async () => {
    for (const close of closing) await close();
    await server.remove();
  });
  const unused = await makeConnections(admin);
  const freshScope = () => {
    const next = unused.pop();
    if (!next) throw new Error(`A test file has ${CONNECTIONS} connections at most.`);
    return store.scope(next);
  };
  return { store, url: server.url, dataDir, freshScope, open, admin, adminUrl };
}

const CONNECTIONS = 1_000;

/** Creates inactive connections without settings in advance, so that a test gets one without waiting. */
async function makeConnections(admin: pg.Client): Promise<ScopeOf[]> {
  const { rows } = await admin.query<ScopeOf>(
    `with application as (
       insert into unified.applications (id, name) values (gen_random_uuid(), 'Fresh') returning id)
     insert into unified.connections (id, "applicationId", platform, name, settings, status)
     select gen_random_uuid(), application.id, 'test', 'Fresh ' || n, '', 'inactive'
       from application, generate_series(1, $1::int) n
     returning "applicationId", id as "connectionId"`,
    [CONNECTIONS],
  );
  return rows;
}
