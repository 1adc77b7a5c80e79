import { type Entity, entities } from '@unified/contract';
import { type ContentStorage, loadKey, migrate, openStore, type Store } from '@unified/store';
import { documentTables, empty, startPrepared } from '../../store/test/prepared-server.ts';

/** A separate database for a test, with all tables and no data. */
export interface TestDatabase {
  readonly store: Store;
  /** Connection URL. */
  readonly url: string;
  /** Contains its files and the key of stored credentials. */
  readonly dataDir: string;
  /** Creates a database of a connected system if it does not exist; returns its URL. */
  createDatabase(name: string): Promise<string>;
  /** Makes the database unreachable for its users. */
  breakDown(): Promise<void>;
  /** Stops the database and removes its files. */
  stop(): Promise<void>;
}

/** Prefix of the links in records. */
const PUBLIC_URL = 'http://localhost:4000';

/** Milliseconds; generous, because the machine may be busy. */
const CONNECT_MS = 60_000;

/**
 * Starts a separate PostgreSQL in a temporary folder, with tables for these entities; by default those of the document. Files
 * are stored in `contents`; by default in the database. `prepare` prepares its initial content; by default there is none.
 * `settings` are those of PostgreSQL.
 */
export async function database(
  tabled: Readonly<Record<string, Entity>> = entities,
  contents?: ContentStorage,
  preparation = tabled === entities ? documentTables : empty,
  settings: Readonly<Record<string, string>> = {},
): Promise<TestDatabase> {
  const server = await startPrepared(preparation, settings);
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
