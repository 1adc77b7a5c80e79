import { entities } from '@unified/contract';
import { addSandboxPlatform, seedSandbox } from '@unified/sandbox';
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
import { documentTables, type Preparation } from '../../store/test/prepared-server.ts';
import { createEngine, startWorker } from '../src/index.ts';
import { syncEnd } from './sync-end.ts';

/** How long creating and reading the company may take on a busy machine. */
const SYNC_MS = 600_000;

addSandboxPlatform();

/** The sandbox company in a separate database, as a connected system. */
export const systemCompany: Preparation = {
  name: 'system-company',
  fill: async (server) => void (await seedSandbox(await settingsIn(server))),
};

/** The sandbox company, connected and read in full by a worker, so that nothing more changes. */
export const syncedCompany: Preparation = {
  name: 'synced-company',
  from: systemCompany,
  async fill(server, dataDir) {
    await documentTables.fill(server, dataDir);
    const settings = await settingsIn(server);
    const key = await loadKey(undefined, dataDir);
    const store = await openStore({ databaseUrl: server.url, publicUrl: 'http://localhost:4000', entities, key });
    const { id: applicationId } = await createApplication(store, 'Company');
    const connection = { applicationId, platform: 'sandbox', name: 'Company', settings };
    const { id: connectionId } = await createConnection(store, connection);
    await readInFull(store, server.url, store.scope({ applicationId, connectionId }));
    await store.close();
    await shrink(server.url);
  },
};

/** The company of a server that was prepared with it; its connection has the address that this server has now. */
export async function companyOf(server: Pick<Embedded, 'createDatabase'>, store: Store): Promise<Scope> {
  const [connection] = await listConnections(store);
  if (!connection) throw new Error('The server was not prepared with the company.');
  const { applicationId, id: connectionId } = connection;
  await replaceSettings(store, connectionId, await settingsIn(server));
  return store.scope({ applicationId, connectionId });
}

/** Leaves out what was changed or deleted meanwhile, which would be copied, too. */
async function shrink(databaseUrl: string): Promise<void> {
  const utils = await makeWorkerUtils({ connectionString: databaseUrl });
  await utils.withPgClient((client) => client.query('vacuum (full, analyze)'));
  await utils.release();
}

async function settingsIn(server: Pick<Embedded, 'createDatabase'>): Promise<{ url: string; schema: string }> {
  return { url: await server.createDatabase('sandbox_company'), schema: 'erp' };
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
  await syncEnd(store, scope.connectionId, SYNC_MS);
  await worker.stop();
  await engine.close();
}
