import { openDriver, type Platform, platformOf } from '@unified/connectors';
import { createEngine, type Engine, type Systems, startWorker, type Worker, type WorkerOptions } from '@unified/engine';
import { createServer } from '@unified/server';
import { database, type TestDatabase } from '@unified/testing';
import { pino } from 'pino';

/** The service with its own database, as in production, but with shorter delays. */
export interface Stack {
  readonly database: TestDatabase;
  readonly engine: Engine;
  readonly baseUrl: string;
  /** Starts a worker in this process. */
  startWorker(options?: Pick<WorkerOptions, 'syncs'>): Promise<Worker>;
  /** Stops everything, including workers in this process. */
  stop(): Promise<void>;
}

/** Maximum time for the service and Tryton, which creates its database at the first start, to start on a busy machine. */
export const START_MS = 700_000;

/** Rows per page, so that the rows of a small company fill several. */
const PAGE_SIZE = 25;

/** The platforms as shipped, but read in small pages; with `entities`, only these entities and their streams. */
export function delivered(entities?: readonly string[]): Systems {
  return { openDriver, platformOf: (id) => inSmallPages(platformOf(id), entities) };
}

/** A platform that is read in small pages, and with `entities`, has only these entities and their streams. */
export function inSmallPages(
  platform: Platform,
  entities: readonly string[] = Object.keys(platform.mappings),
): Platform {
  const mappings = Object.fromEntries(Object.entries(platform.mappings).filter(([name]) => entities.includes(name)));
  const read = new Set(Object.values(mappings).map(({ stream }) => stream));
  const streams = platform.streams.filter(({ name }) => read.has(name));
  return { ...platform, mappings, streams: streams.map((stream) => ({ ...stream, pageSize: PAGE_SIZE })) };
}

const policy = { attempts: 100, firstMs: 200, factor: 2, longestMs: 2_000 };

/** Retries with short delays, for as long as a system takes to start on a busy machine. */
const policies = { send: policy, look: policy, page: { ...policy, attempts: 2 } };

/** Starts PostgreSQL and the server for these systems; a worker is started only on request. */
export async function startStack(systems: Systems = delivered()): Promise<Stack> {
  const base = await database();
  const log = pino({ level: process.env.LOG_LEVEL ?? 'silent' });
  const background = { store: base.store, databaseUrl: base.url, log, systems };
  const engine = createEngine(background);
  const { publicUrl } = base.store;
  const requestsPerMinute = () => 1_000_000;
  const server = await createServer({ store: base.store, engine, logger: log, publicUrl, requestsPerMinute, port: 0 });
  const workers = new Set<Worker>();
  return {
    database: base,
    engine,
    baseUrl: server.url,
    async startWorker(options) {
      const worker = await startWorker({ ...background, policies, ...options });
      workers.add(worker);
      return {
        async stop() {
          if (workers.delete(worker)) await worker.stop();
        },
      };
    },
    async stop() {
      await server.close();
      for (const worker of workers) await worker.stop();
      await engine.close();
      await base.stop();
    },
  };
}
