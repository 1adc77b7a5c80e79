import { openBucket } from '@unified/connectors';
import { entities } from '@unified/contract';
import {
  bucketStorage,
  type EmbeddedOptions,
  expectOutage,
  joinInstallation,
  keyFromCommand,
  loadKey,
  type Membership,
  migrate,
  openStore,
  publicAddressOf,
  type ReplicaOptions,
  resealSecrets,
  type Store,
  siblingDatabase,
  startEmbedded,
} from '@unified/store';
import type { Configuration } from './configuration.ts';
import { step, timed } from './progress.ts';

export interface Database {
  readonly url: string;
  readonly store: Store;
  /** Whether this package started the server. */
  readonly isEmbedded: boolean;
  /**
   * URL of a separate database, which is created if it does not exist, or the URL of the service if the user may not create
   * databases.
   */
  databaseNamed(name: string): Promise<string>;
  /** Call it when the process begins to stop: from then on, an embedded PostgreSQL that ends is not restarted. */
  beginStop(): void;
  close(): Promise<void>;
}

const CHANGE = 'To change it, start one process with another PUBLIC_URL while no other runs.';

type Options = Pick<Configuration, 'databaseUrl' | 'dataDir' | 'key' | 'keyCommand' | 'address' | 'bucket'> &
  Pick<EmbeddedOptions, 'meanwhile'> & {
    /** Replicas on which records are read; by default, none. */
    readonly replicas?: ReplicaOptions;
  };

/**
 * Opens the database that the configuration names, or starts the embedded one, and updates its tables. With `onMoved`, the
 * process joins the installation: it can change the public address, is notified when that address changes, and encrypts secrets
 * again that are encrypted with an older key. Without it, as in a script, it only uses the stored address. Throws
 * `MasterKeyError` and `AddressConflict`.
 */
export async function openDatabase(
  options: Options,
  onError: (error: Error) => void,
  onMoved?: (error: Error) => void,
): Promise<Database> {
  const printed = options.keyCommand === undefined ? undefined : await keyFromCommand(options.keyCommand);
  const server = options.databaseUrl === undefined ? await embedded(options) : given(options.databaseUrl);
  const key = printed ?? (await loadKey(options.key, options.dataDir));
  const membership = onMoved && (await join(server, options.address, onError, onMoved));
  const { url: publicUrl } = membership?.address ?? (await storedAddress(server.url, options.address));
  const bucket = options.bucket && openBucket(options.bucket);
  const contents = bucket && bucketStorage(bucket);
  const store = await openStore({
    databaseUrl: server.url,
    publicUrl,
    entities,
    key,
    onError,
    replicas: options.replicas,
    ...(contents && { contents }),
  });
  try {
    await migrate(store);
    const rewritten = (await membership?.settle(store)) ?? 0;
    // Also completes a rotation of the data key that was interrupted, and refuses a wrong master key.
    if (membership) await resealSecrets(store);
    if (rewritten > 0) step(`the public address is ${publicUrl} now: rewrote the links of ${rewritten} records`);
  } catch (error) {
    await membership?.close();
    await store.close();
    await bucket?.close();
    await server.stop();
    throw error;
  }
  return {
    url: server.url,
    store,
    isEmbedded: options.databaseUrl === undefined,
    databaseNamed: server.databaseNamed,
    beginStop: server.beginStop,
    async close() {
      await membership?.close();
      await store.close();
      await bucket?.close();
      await server.stop();
    },
  };
}

/** The address for a script, which uses that of the installation. */
async function storedAddress(databaseUrl: string, wanted: Configuration['address']) {
  const stored = (await publicAddressOf(databaseUrl)) ?? wanted;
  if (wanted.isSet && stored.url !== wanted.url) step(`links begin with ${stored.url}, the stored address. ${CHANGE}`);
  return stored;
}

async function join(
  server: { url: string; stop(): Promise<void> },
  wanted: Configuration['address'],
  onError: (error: Error) => void,
  onMoved: (error: Error) => void,
): Promise<Membership> {
  try {
    const membership = await joinInstallation({ databaseUrl: server.url, wanted, onError, onMoved });
    const { url } = membership.address;
    if (url !== wanted.url) step(`the public address is ${url}, as stored. ${CHANGE}`);
    return membership;
  } catch (error) {
    await server.stop();
    throw error;
  }
}

async function embedded({ dataDir, meanwhile }: Options) {
  const server = await timed(`opening PostgreSQL in ${dataDir}`, () =>
    startEmbedded({ dataDir, log: step, ...(meanwhile && { meanwhile }) }),
  );
  return {
    ...{ url: server.url, databaseNamed: (name: string) => server.createDatabase(name), stop: () => server.stop() },
    beginStop() {
      // A service manager may stop it at the same time as this process.
      expectOutage();
      server.beginStop();
    },
  };
}

function given(url: string) {
  return {
    url,
    databaseNamed: (name: string) => siblingDatabase(url, name),
    beginStop: () => {},
    stop: async () => {},
  };
}
