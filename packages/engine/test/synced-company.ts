import { entities } from '@unified/contract';
import { addSandboxPlatform } from '@unified/sandbox';
import {
  createApplication,
  createConnection,
  type Embedded,
  listConnections,
  loadKey,
  openStore,
  replaceSettings,
  type Scope,
  type Store,
} from '@unified/store';
import { makeWorkerUtils } from 'graphile-worker';
import { pino } from 'pino';
import { vi } from 'vitest';
import { company, companySettings } from '../../sandbox/test/company-database.ts';
import { documentTables, type Preparation } from '../../store/test/prepared-server.ts';
import { createEngine, startWorker } from '../src/index.ts';
import { syncEnd } from './sync-end.ts';

/** Maximum time for creating and reading the company on a busy machine. */
const SYNC_MS = 600_000;

addSandboxPlatform();

/** The sandbox company, connected and read in full by a worker, so that nothing more changes. */
export const syncedCompany: Preparation = {
  name: 'synced-company',
  from: company,
  async fill(server, dataDir) {
    await documentTables.fill(server, dataDir);
    const settings = await companySettings(server);
    const key = await loadKey(undefined, dataDir);
    const store = await openStore({ databaseUrl: server.url, publicUrl: 'http://localhost:4000', entities, key });
    const { id: applicationId } = await createApplication(store, 'Company');
    const connection = { applicationId, platform: 'sandbox', name: 'Company', settings };
    const { id: connectionId } = await createConnection(store, connection);
    await readInFull(store, server.url, store.scope({ applicationId, connectionId }));
    await store.close();
    await analyze(server.url);
  },
};

/** The company of a server that was prepared with it; its connection has the address that this server has now. */
export async function companyOf(server: Pick<Embedded, 'createDatabase'>, store: Store): Promise<Scope> {
  const [connection] = await listConnections(store);
  if (!connection) throw new Error('The server was not prepared with the company.');
  const { applicationId, id: connectionId } = connection;
  await replaceSettings(store, connectionId, await companySettings(server));
  return store.scope({ applicationId, connectionId });
}

/** Updates statistics for the planner, and sets the hint bits that the first reader would otherwise write in every copy. */
async function analyze(databaseUrl: string): Promise<void> {
  const utils = await makeWorkerUtils({ connectionString: databaseUrl });
  await utils.withPgClient((client) => client.query('vacuum (analyze)'));
  await utils.release();
}

/** Has a worker read every stream. Throws the errors. */
async function readInFull(store: Store, databaseUrl: string, scope: Scope): Promise<void> {
  const background = { store, databaseUrl, log: pino({ level: process.env.LOG_LEVEL ?? 'silent' }) };
  const engine = createEngine(background);
  const worker = await startWorker(background);
  const isRead = async () => {
    const streams = await engine.syncStatus(scope);
    const open = streams.filter(({ lastSuccessAt, error }) => lastSuccessAt === null && error === null);
    if (open.length > 0) throw new Error(`not read in time: ${open.map(({ stream }) => stream).join(', ')}`);
    return streams.flatMap(({ stream, error }) => (error === null ? [] : `${stream}: ${error}`));
  };
  const failed = await vi.waitFor(isRead, { timeout: SYNC_MS, interval: 100 });
  if (failed.length > 0) throw new Error(failed.join('\n'));
  await syncEnd(databaseUrl, scope.connectionId, SYNC_MS);
  await worker.stop();
  await engine.close();
}
