import { openBucket } from '@unified/connectors';
import { entities } from '@unified/contract';
import {
  bucketStorage,
  loadKey,
  migrate,
  openStore,
  rebase,
  type Store,
  siblingDatabase,
  startEmbedded,
} from '@unified/store';
import type { Configuration } from './configuration.ts';
import { step } from './progress.ts';

export interface Database {
  readonly url: string;
  readonly store: Store;
  /** URL of a database beside ours, made unless it exists; of ours itself where the user may not make one. */
  databaseNamed(name: string): Promise<string>;
  close(): Promise<void>;
}

type Options = Pick<Configuration, 'databaseUrl' | 'dataDir' | 'key' | 'publicUrl' | 'bucket'>;

/** Opens the database that the configuration names, or starts the embedded one, and brings its tables up to date. */
export async function openDatabase(options: Options, onError: (error: Error) => void): Promise<Database> {
  const server = options.databaseUrl === undefined ? await embedded(options.dataDir) : given(options.databaseUrl);
  const key = await loadKey(options.key, options.dataDir);
  const { publicUrl } = options;
  const bucket = options.bucket && openBucket(options.bucket);
  const contents = bucket && bucketStorage(bucket);
  const store = await openStore({
    databaseUrl: server.url,
    publicUrl,
    entities,
    key,
    onError,
    ...(contents && { contents }),
  });
  try {
    await migrate(store);
    const rewritten = await rebase(store);
    if (rewritten > 0) step(`the public address is ${publicUrl} now: rewrote the links of ${rewritten} records`);
  } catch (error) {
    await store.close();
    await bucket?.close();
    await server.stop();
    throw error;
  }
  return {
    url: server.url,
    store,
    databaseNamed: server.databaseNamed,
    async close() {
      await store.close();
      await bucket?.close();
      await server.stop();
    },
  };
}

async function embedded(dataDir: string) {
  step(`starting the embedded PostgreSQL in ${dataDir}`);
  const server = await startEmbedded({ dataDir, log: step });
  return { url: server.url, databaseNamed: (name: string) => server.createDatabase(name), stop: () => server.stop() };
}

function given(url: string) {
  return { url, databaseNamed: (name: string) => siblingDatabase(url, name), stop: async () => {} };
}
