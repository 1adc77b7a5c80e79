import { startMariaDb } from '../../packages/connectors/test/running-mariadb.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { type Credentials, KillBillApi } from './api.ts';
import { seed, type Tenant } from './seed.ts';
import { serve } from './server.ts';

/** A running Kill Bill, and how to connect to it. */
export interface RunningKillBill extends Credentials {
  /** `http://127.0.0.1:43211`. */
  readonly url: string;
  readonly api: KillBillApi;
  /** Content of the tenant. */
  readonly tenant: Tenant;
  /** Stops the server and its database, and removes its directory. */
  stop(): Promise<void>;
}

/** The user of a new Kill Bill, and a tenant that is created. */
const CREDENTIALS: Credentials = { user: 'admin', password: 'password', apiKey: 'northwind', apiSecret: 'secret-1' };

/**
 * Starts a real Kill Bill with a new database and a seeded tenant, on a free port by default.
 *
 * @throws {Error} when Kill Bill is not installed (`install.sh`)
 */
export async function startKillBill(options: { port?: number } = {}): Promise<RunningKillBill> {
  await using started = new AsyncDisposableStack();
  const dir = await temporaryFolder('killbill-', started);
  const database = await startMariaDb();
  started.defer(() => database.stop());
  const { url, stop } = await serve(dir, database.url, options.port);
  started.defer(stop);
  const { apiKey, apiSecret } = CREDENTIALS;
  const api = new KillBillApi(url, CREDENTIALS);
  await api.send('POST', '/tenants', { apiKey, apiSecret });
  const tenant = await seed(api);
  const running = started.move();
  return { ...CREDENTIALS, url, api, tenant, stop: () => running.disposeAsync() };
}
