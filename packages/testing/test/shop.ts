import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { loadPlatform, openDriver, type Platform } from '@unified/connectors';
import type { SyncMode } from '@unified/engine';
import { type CheckedResponse, checkedFetch, connect, type Sent } from '@unified/testing';
import pg from 'pg';
import { testDatabase } from '../../connectors/test/system-database.ts';
import { startStack } from './stack.ts';
import { synchronize } from './synchronize.ts';

/** A tenant after the first sync. Its system is a separate database that is described only by YAML. */
export interface Shop {
  /** Settings of a connection to its database. */
  readonly settings: { readonly url: string };
  /** Runs SQL in its database, as the programs of the shop do. */
  sql(text: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>;
  /** Sends a request to a path such as `/vendors`; the response is compared with the document. */
  send<Body = Answer>(path: string, sent?: Sent): Promise<CheckedResponse<Body>>;
  sync(mode: SyncMode): Promise<void>;
}

/** The parts of responses that the tests read. */
export interface Answer {
  readonly data: Vendor;
  readonly code: string;
  readonly message: string;
  readonly details: readonly Readonly<Record<string, unknown>>[];
}

export interface Vendor {
  readonly id: string;
  readonly code: string;
  readonly name: string;
  readonly customFields: Readonly<Record<string, unknown>>;
}

export interface Shops {
  readonly platform: Platform;
  /** Opens a shop: with the tables of `tables.sql`, changed by `change`. */
  open(name: string, change?: string): Promise<Shop>;
  stop(): Promise<void>;
}

/** A platform, and the tables that it reads. */
interface ShopFiles {
  readonly platform: URL;
  readonly tables: URL;
}

const OWN: ShopFiles = {
  platform: new URL('shop/platform', import.meta.url),
  tables: new URL('shop/tables.sql', import.meta.url),
};

/** Starts the service, a worker and a PostgreSQL for the databases of the shops. */
export async function startShops(files: ShopFiles = OWN): Promise<Shops> {
  const platform = loadPlatform(fileURLToPath(files.platform));
  const server = await testDatabase();
  const stack = await startStack({ openDriver, platformOf: () => platform });
  await stack.startWorker();
  const clients: pg.Client[] = [];
  const connected = async (url: string) => {
    const client = new pg.Client({ connectionString: url });
    clients.push(client);
    await client.connect();
    return client;
  };
  const admin = await connected(server.url);
  return {
    platform,
    async open(name, change = '') {
      await admin.query(`CREATE DATABASE ${name}`);
      const url = Object.assign(new URL(server.url), { pathname: `/${name}` }).href;
      const client = await connected(url);
      await client.query((await readFile(files.tables, 'utf8')) + change);
      const settings = { url };
      const { scope, token } = await connect(stack.database.store, { platform: platform.id, settings });
      const sync = (mode: SyncMode) => synchronize(stack, scope, mode);
      await sync('full');
      const authorization = { Authorization: `Bearer ${token}` };
      return {
        settings,
        sync,
        sql: async (text, values = []) => (await client.query(text, [...values])).rows,
        send: (path, { headers, ...sent } = {}) =>
          checkedFetch(`${stack.baseUrl}/v4${path}`, { ...sent, headers: { ...authorization, ...headers } }),
      };
    },
    async stop() {
      await stack.stop();
      for (const client of clients) await client.end();
      await server.stop();
    },
  };
}
