import { entities } from '@unified/contract';
import { createEngine, startWorker } from '@unified/engine';
import { fastRetries } from '@unified/engine/testing/fast-retries';
import { type FaultySystem, startFaultySystem } from '@unified/engine/testing/faulty-system';
import { systems } from '@unified/engine/testing/order-keeping-system';
import { createServer } from '@unified/server';
import { loadKey, migrate, openStore, type Store } from '@unified/store';
import { type CheckedResponse, checkedFetch, connect, database, type Sent } from '@unified/testing';
import { pino } from 'pino';
import { REPLICATED, type Standby, startStandby } from '../../store/test/standby.ts';

/** A server with a read replica, and a worker that writes to a system. */
export interface ReplicatedApi {
  readonly baseUrl: string;
  /** Token of a connection to the system. */
  readonly token: string;
  readonly system: FaultySystem;
  readonly standby: Standby;
  /** The store of the server. */
  readonly store: Store;
  /** Sends a request below `/v4`, and checks the response. */
  send<Body = Record<string, unknown>>(path: string, sent?: Sent): Promise<CheckedResponse<Body>>;
  stop(): Promise<void>;
}

/** Starts everything. The replica is used however far behind it is. */
export async function startReplicatedApi(): Promise<ReplicatedApi> {
  const base = await database(undefined, undefined, undefined, REPLICATED);
  const system = await startFaultySystem();
  const { token } = await connect(base.store, {
    ...{ platform: 'faulty', settings: { url: system.url, timeoutMs: 20_000 } },
  });
  const standby = await startStandby(base);
  const { publicUrl } = base.store;
  const store = await openStore({
    ...{ databaseUrl: base.url, connectTimeoutMs: 60_000, publicUrl, entities },
    key: await loadKey(undefined, base.dataDir),
    replicas: { urls: [standby.url], maxLagMs: 3_600_000, timeoutMs: 60_000 },
  });
  await migrate(store);
  const logger = pino({ level: process.env.LOG_LEVEL ?? 'silent' });
  const engine = createEngine({ store, databaseUrl: base.url, log: logger, systems });
  const background = { store: base.store, databaseUrl: base.url, log: logger, systems };
  const worker = await startWorker({ ...background, policies: fastRetries, syncs: 0 });
  const server = await createServer({
    ...{ store, engine, logger, publicUrl, port: 0 },
    requestsPerMinute: () => 1_000_000,
  });
  return {
    ...{ baseUrl: server.url, token, system, standby, store },
    send: (path, { headers, ...sent } = {}) =>
      checkedFetch(`${server.url}/v4${path}`, { ...sent, headers: { Authorization: `Bearer ${token}`, ...headers } }),
    async stop() {
      await server.close();
      await worker.stop();
      await engine.close();
      await store.close();
      await standby.remove();
      await system.close();
      await base.stop();
    },
  };
}
