import { entities } from '@unified/contract';
import {
  type AuditOrigin,
  createApplication,
  createConnection,
  type Embedded,
  loadKey,
  migrate,
  openStore,
  type Scope,
  type Store,
  startEmbedded,
  type WriteRecord,
} from '@unified/store';
import { pino } from 'pino';
import { afterAll } from 'vitest';
import { documentTables, startPrepared } from '../../store/test/prepared-server.ts';
import {
  createEngine,
  type Engine,
  startWorker,
  type Worker,
  type WorkerOptions,
  type WriteRequest,
} from '../src/index.ts';
import type { SyncMode } from '../src/jobs/jobs.ts';
import { fastRetries } from './fast-retries.ts';
import { faultySystems } from './faulty-platform.ts';
import { type FaultySystem, startFaultySystem } from './faulty-system.ts';
import { withDatabase } from './job-database.ts';
import { syncEnd } from './sync-end.ts';

export const log = pino({ level: process.env.LOG_LEVEL ?? 'silent' });

/** The actor that changes connections in tests. */
export const origin: AuditOrigin = {
  ...{ actorType: 'operator', actor: 'tester', operation: 'test', requestId: null, address: null },
};

/** A connection to a separate faulty system. */
export interface Site {
  readonly system: FaultySystem;
  readonly connectionId: string;
  readonly scope: Scope;
  /** Queues a write and waits until it is settled. */
  write(request: Partial<WriteRequest>): Promise<WriteRecord>;
  /** Queues the creation of a vendor; returns its write id. */
  createVendor(name: string, more?: Record<string, unknown>): Promise<string>;
  /** Waits until a write is settled. */
  settled(writeId: string): Promise<WriteRecord>;
  /** Requests a sync and waits until its run has ended, successfully or not. */
  sync(mode: SyncMode): Promise<void>;
  /** Waits until every requested run in this mode has ended. */
  synced(mode: SyncMode): Promise<void>;
}

export interface HeldRelations {
  letGo(): Promise<void>;
  /** Makes attempts to resolve relations fail until `seen` resolves. */
  fail(seen: () => Promise<void>): Promise<void>;
}

export interface Harness {
  readonly store: Store;
  readonly databaseUrl: string;
  readonly directory: string;
  /** Creates a database for a connected system unless it exists; returns its URL. */
  createDatabase(name: string): Promise<string>;
  readonly engine: Engine;
  /** A faulty system without a connection. */
  system(): Promise<FaultySystem>;
  /** Creates an active connection, by default to a separate system. A worker that synchronizes will read it soon. */
  site(system?: FaultySystem): Promise<Site>;
  /** A connection to any platform. */
  connect(platform: string, settings: Record<string, string>): Promise<Scope>;
  /** Starts a worker, by default one that does not synchronize. */
  worker(options?: Partial<WorkerOptions>): Promise<Worker>;
  /** Makes the database unreachable for a few seconds; `whileDown` is called during that time. */
  restart(whileDown: () => void): Promise<void>;
  /** Cuts the database connections that hold locks. */
  dropLocks(): Promise<void>;
  /** Blocks workers from resolving relations until it is released; they still read. */
  holdRelations(): Promise<HeldRelations>;
}

/** A database and an engine for a test file; everything that was started is stopped after its last test. */
export async function startHarness(preparation = documentTables, engineLog = log): Promise<Harness> {
  const settings: Record<string, string> = process.env.FSYNC ? { fsync: 'on' } : {};
  const prepared = await startPrepared(preparation, settings);
  const directory = prepared.dataDir;
  let server: Embedded = prepared;
  const databaseUrl = server.url;
  const store = await openStore({
    databaseUrl,
    connectTimeoutMs: PATIENCE_MS,
    publicUrl: 'http://localhost:4000',
    entities,
    key: await loadKey(undefined, directory),
    onError: (err) => engineLog.warn({ err }),
  });
  await migrate(store);
  const engine = createEngine({ store, databaseUrl, log: engineLog, systems: faultySystems });
  const closing: (() => Promise<unknown>)[] = [];
  afterAll(async () => {
    for (const close of closing.reverse()) await close();
    await engine.close();
    await store.close();
    await server.stop();
    await prepared.remove();
  });
  const application = await createApplication(store, 'Test');
  let sites = 0;
  const nextName = () => `Test ${++sites}`;
  const system = async () => {
    const started = await startFaultySystem();
    closing.push(() => started.close());
    return started;
  };
  return {
    store,
    databaseUrl,
    directory,
    createDatabase: (name) => server.createDatabase(name),
    engine,
    system,
    async site(given) {
      const faulty = given ?? (await system());
      const { id } = await createConnection(store, {
        applicationId: application.id,
        platform: 'faulty',
        name: nextName(),
        settings: { url: faulty.url },
      });
      const scope = store.scope({ applicationId: application.id, connectionId: id });
      return siteOf({ engine, databaseUrl }, scope, faulty);
    },
    async connect(platform, settings) {
      const { id } = await createConnection(store, {
        ...{ applicationId: application.id, platform, settings },
        name: nextName(),
      });
      return store.scope({ applicationId: application.id, connectionId: id });
    },
    async restart(whileDown) {
      await server.stop();
      whileDown();
      await new Promise((resolve) => setTimeout(resolve, 2_000));
      server = await startEmbedded({ dataDir: directory, settings: { fsync: 'off', ...settings } });
      if (server.url !== databaseUrl) throw new Error('The database returned at another address.');
    },
    dropLocks: () => terminate(databaseUrl, 'unified locks'),
    async holdRelations() {
      const held = await holdRelations(databaseUrl);
      closing.push(held.letGo);
      return held;
    },
    async worker(options = {}) {
      const given = {
        store,
        databaseUrl,
        log: engineLog,
        systems: faultySystems,
        policies: fastRetries,
        syncs: 0,
        endpoints: 0,
      };
      const worker = await startWorker({ ...given, ...options });
      let running = true;
      const stop = async () => {
        if (running) await worker.stop();
        running = false;
      };
      closing.push(stop);
      return { stop };
    },
  };
}

/** Ends the database connections with this application name. */
function terminate(databaseUrl: string, name: string): Promise<void> {
  const sql = 'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1';
  return withDatabase(databaseUrl, async (query) => void (await query(sql, [name])));
}

/** Locks a table that is used for nothing else, in a separate transaction. */
async function holdRelations(databaseUrl: string): Promise<HeldRelations> {
  const held = Promise.withResolvers<void>();
  const next = Promise.withResolvers<(() => Promise<void>) | undefined>();
  const holding = withDatabase(databaseUrl, async (query) => {
    await query('begin', []);
    await query('lock table unified.renamed_targets', []);
    held.resolve();
    const seen = await next.promise;
    if (seen) await query('alter table unified.renamed_targets rename to away', []);
    await query('commit', []);
    if (!seen) return;
    await seen();
    await query('alter table unified.away rename to renamed_targets', []);
  });
  await Promise.race([held.promise, holding]);
  const go = async (seen?: () => Promise<void>) => {
    next.resolve(seen);
    await holding;
  };
  return { letGo: () => go(), fail: go };
}

/** Generous, because the machine may be busy. */
const PATIENCE_MS = 120_000;

function siteOf(
  { engine, databaseUrl }: { engine: Engine; databaseUrl: string },
  scope: Scope,
  system: FaultySystem,
): Site {
  const { connectionId } = scope;
  const settled = (writeId: string) => engine.waitForWrite(scope, writeId, PATIENCE_MS);
  const submit = (request: Partial<WriteRequest>) => {
    const { op = 'create', entity = 'Vendor', input = {}, ...rest } = request;
    return engine.submitWrite(scope, { operation: `${op}${entity}`, op, entity, input, ...rest });
  };
  const synced = (mode: SyncMode) => syncEnd(databaseUrl, connectionId, PATIENCE_MS, mode);
  return {
    system,
    scope,
    connectionId,
    settled,
    synced,
    write: async (request) => settled((await submit(request)).writeId),
    createVendor: async (name, more = {}) => (await submit({ input: { name, ...more } })).writeId,
    async sync(mode) {
      await engine.requestSync(connectionId, mode);
      await synced(mode);
    },
  };
}
