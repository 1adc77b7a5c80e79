import { openDriver, platformOf } from '@unified/connectors';
import { createEngine, type Engine, type Systems, startWorker } from '@unified/engine';
import { syncEnd } from '@unified/engine/testing/sync-end';
import { addSandboxPlatform, seedSandbox } from '@unified/sandbox';
import { createServer } from '@unified/server';
import type { ContentStorage, Scope, Store } from '@unified/store';
import {
  type CheckedResponse,
  checkedFetch,
  connect,
  database,
  type Sent,
  type TestConnection,
} from '@unified/testing';
import pg from 'pg';
import { pino } from 'pino';
import { vi } from 'vitest';

/** The sandbox company, from which only vendors and attachments are read. */
export interface FileKeeper {
  readonly baseUrl: string;
  readonly store: Store;
  readonly engine: Engine;
  readonly scope: Scope;
  /** A token of the connection. */
  readonly token: string;
  /** The databases of the service and of the company, without access restrictions. */
  readonly admin: pg.Client;
  /** Another connection to the same company. */
  connect(): Promise<TestConnection>;
  /** Sends a request below `/v4`. Checks the response. */
  send<Body = Record<string, unknown>>(
    path: string,
    sent?: Sent & { readonly token?: string },
  ): Promise<CheckedResponse<Body>>;
  stop(): Promise<void>;
}

addSandboxPlatform();

const STREAMS = ['lief', 'anhang'];
const SYNC_MS = 300_000;

const systems: Systems = {
  openDriver,
  platformOf(id) {
    const platform = platformOf(id);
    return { ...platform, streams: platform.streams.filter(({ name }) => STREAMS.includes(name)) };
  },
};

/** Seeds the company, starts a server and a worker, and waits until vendors and attachments have been read. */
export async function startFileKeeper(contents?: ContentStorage): Promise<FileKeeper> {
  const base = await database(undefined, contents);
  const log = pino({ level: process.env.LOG_LEVEL ?? 'silent' });
  await seedSandbox({ url: base.url, schema: 'erp', workOrders: 2_000 });
  const admin = new pg.Client(base.url);
  await admin.connect();
  const { store } = base;
  const background = { store, databaseUrl: base.url, log, systems };
  const engine = createEngine(background);
  const another = () => connect(store, { platform: 'sandbox', settings: { url: base.url } });
  const { scope, token: good } = await another();
  const worker = await startWorker(background);
  const requestsPerMinute = () => 1_000_000;
  const server = await createServer({
    ...{ store, engine, logger: log, publicUrl: store.publicUrl, requestsPerMinute, port: 0 },
  });
  const isRead = async () => {
    const streams = await engine.syncStatus(scope);
    if (streams.some(({ lastSuccessAt }) => lastSuccessAt === null)) throw new Error('not read yet');
  };
  await vi.waitFor(isRead, { timeout: SYNC_MS, interval: 100 });
  await syncEnd(base.url, scope.connectionId, SYNC_MS);
  return {
    ...{ baseUrl: server.url, store, engine, scope, token: good, admin, connect: another },
    send: (path, { token = good, headers, ...sent } = {}) =>
      checkedFetch(`${server.url}/v4${path}`, { ...sent, headers: { Authorization: `Bearer ${token}`, ...headers } }),
    async stop() {
      await server.close();
      await worker.stop();
      await engine.close();
      await admin.end();
      await base.stop();
    },
  };
}
