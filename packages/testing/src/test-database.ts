import { type Entity, entities } from '@unified/contract';
import { type ContentStorage, loadKey, migrate, openStore, type Store } from '@unified/store';
import { documentTables, empty, startPrepared } from '../../store/test/prepared-server.ts';

/** A database of a test's own, with all tables and no data. */
export interface TestDatabase {
  readonly store: Store;
  /** Connection URL. */
  readonly url: string;
  /** Holds its files and the key of stored credentials. */
  readonly dataDir: string;
  /** Makes a database of a connected system unless it exists; returns its URL. */
  createDatabase(name: string): Promise<string>;
  /** Takes the database away from those who use it. */
  breakDown(): Promise<void>;
  /** Ends the database and removes its files. */
  stop(): Promise<void>;
}

/** Begins the links of records. */
const PUBLIC_URL = 'http://localhost:4000';

/** Milliseconds: a busy machine is no fault of the database. */
const CONNECT_MS = 60_000;

/**
 * Starts a PostgreSQL of its own in a temporary folder, with tables for these entities; those of the document by default.
 * Files lie where `contents` says; in the database by default. What it holds at first was
 * prepared: nothing by default.
 */
export async function database(
  tabled: Readonly<Record<string, Entity>> = entities,
  contents?: ContentStorage,
  preparation = tabled === entities ? documentTables : empty,
): Promise<TestDatabase> {
  const server = await startPrepared(preparation);
  const { url, dataDir } = server;
  const key = await loadKey(undefined, dataDir);
  const address = { databaseUrl: url, connectTimeoutMs: CONNECT_MS };
  const options = { ...address, publicUrl: PUBLIC_URL, entities: tabled, key };
  const store = await openStore({ ...options, ...(contents && { contents }) });
  await migrate(store);
  return {
    store,
    url,
    dataDir,
    createDatabase: server.createDatabase,
    breakDown: () => server.stop(),
    async stop() {
      await store.close();
      await server.remove();
    },
  };
}
