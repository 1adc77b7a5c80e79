import { setTimeout as pause } from 'node:timers/promises';
import { entities } from '@unified/contract';
import { createEngine, type Engine, startWorker, type Worker } from '@unified/engine';
import { createApplication, createConnection, migrate, openStore, type Scope, type Store } from '@unified/store';
import pg from 'pg';
import { pino } from 'pino';
import { schema } from '../../packages/engine/src/jobs/jobs.ts';
import type { GeneratedSystem } from './generated-system.ts';

/** Milliseconds between checks: more frequent ones would distort what is measured by a tenth. */
export const LOOK_EVERY = 25;

export interface EngineFixture {
  readonly engine: Engine;
  readonly store: Store;
  readonly scope: Scope;
  /** Waits until no sync is due, requested or in progress. The first one of a new connection is due immediately. */
  syncsEnd(): Promise<void>;
  /** Stops the worker only, so that another process can do its work. */
  stopWorker(): Promise<void>;
  stop(): Promise<void>;
}

/** A worker and an engine, as `npm start` runs them, connected to a generated system. */
export async function engineFixture(databaseUrl: string, systems: GeneratedSystem): Promise<EngineFixture> {
  const key = { id: 'bench', bytes: Buffer.alloc(32, 7) };
  const store = await openStore({ databaseUrl, publicUrl: 'http://localhost:4000', entities, key });
  await migrate(store);
  const { id: applicationId } = await createApplication(store, 'Benchmark');
  const { id: connectionId } = await createConnection(store, {
    applicationId,
    platform: 'generated',
    name: 'Benchmark',
    settings: {},
  });
  const options = { store, databaseUrl, systems, log: pino({ level: 'warn' }, pino.destination(2)) };
  let worker: Worker | undefined = await startWorker(options);
  const engine = createEngine(options);
  const jobs = new pg.Client({ connectionString: databaseUrl });
  await jobs.connect();
  const stopWorker = async () => {
    await worker?.stop();
    worker = undefined;
  };
  return {
    engine,
    store,
    scope: store.scope({ applicationId, connectionId }),
    async syncsEnd() {
      const left = `select from ${schema}.jobs where key like 'sync:%' limit 1`;
      while ((await jobs.query(left)).rows.length > 0) await pause(LOOK_EVERY);
    },
    stopWorker,
    async stop() {
      await stopWorker();
      await jobs.end();
      await engine.close();
      await store.close();
    },
  };
}
