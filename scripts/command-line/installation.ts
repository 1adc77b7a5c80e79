import { createEngine, type Engine, sharedQuotas } from '@unified/engine';
import { createLogger } from '@unified/server';
import type { Store } from '@unified/store';
import { readConfiguration } from '../start/configuration.ts';
import { openDatabase } from '../start/open-database.ts';
import { refuseMissing } from './refuse-missing.ts';

/** The installation that is managed: the one that `npm start` uses with the same environment. */
export interface Installation {
  readonly store: Store;
  readonly engine: Engine;
}

interface Opening {
  /** Whether the tables are created in an empty database that DATABASE_URL names. */
  readonly mayCreateTables?: boolean;
}

/** Opens the installation while `work` runs. Throws `Refusal` if there is none: only `npm start` creates one. */
export async function withInstallation<T>(
  work: (installation: Installation) => Promise<T>,
  { mayCreateTables = false }: Opening = {},
): Promise<T> {
  const log = createLogger('warn');
  const configuration = readConfiguration([], process.env);
  if (configuration.databaseUrl === undefined || !mayCreateTables) await refuseMissing(configuration);
  const { store, url, close } = await openDatabase(configuration, (err) => log.warn({ err }, 'database'));
  const quotas = sharedQuotas(store);
  const engine = createEngine({ store, databaseUrl: url, log, quotas });
  try {
    return await work({ store, engine });
  } finally {
    await engine.close();
    await quotas.close();
    await close();
  }
}
