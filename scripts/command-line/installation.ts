import { createEngine, type Engine } from '@unified/engine';
import { createLogger } from '@unified/server';
import type { Store } from '@unified/store';
import { readConfiguration } from '../start/configuration.ts';
import { openDatabase } from '../start/open-database.ts';

/** The installation that is managed: the one that `npm start` uses with the same environment. */
export interface Installation {
  readonly store: Store;
  readonly engine: Engine;
}

/** Opens the installation while `work` runs. */
export async function withInstallation<T>(work: (installation: Installation) => Promise<T>): Promise<T> {
  const log = createLogger('warn');
  const configuration = readConfiguration([], process.env);
  const { store, url, close } = await openDatabase(configuration, (err) => log.warn({ err }, 'database'));
  const engine = createEngine({ store, databaseUrl: url, log });
  try {
    return await work({ store, engine });
  } finally {
    await engine.close();
    await close();
  }
}
