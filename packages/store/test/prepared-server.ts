import { execFile } from 'node:child_process';
import { access, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { entities as documented, type Entity } from '@unified/contract';
import { expect } from 'vitest';
import { tryLock } from '../src/embedded/file-lock.ts';
import { recall, superuserUrl } from '../src/embedded/remembered.ts';
import { until } from '../src/embedded/until.ts';
import { type Embedded, loadKey, migrate, openStore, startEmbedded } from '../src/index.ts';
import { CITUS_URL, startOnCluster } from './cluster-server.ts';
import { keepStatements, recording, recordService } from './recorded-statements.ts';
import { RUN_FOLDER } from './run-folder.ts';

const run = promisify(execFile);

/** Data need not survive a crash of the machine, there are no replicas, and passwords are random. */
const HASTY = {
  ...{ fsync: 'off', full_page_writes: 'off', wal_level: 'minimal', max_wal_senders: '0' },
  scram_iterations: '1',
};

/** Files are copied, so preallocated space would only cost time. */
const SMALL = { max_wal_size: '128MB', min_wal_size: '32MB', autovacuum: 'off' };

/** Maximum number of seconds for the preparation on a busy machine. */
const PREPARED_IN = 900;

/** The content of a server before the tests of a file start. */
export interface Preparation {
  /** Distinguishes it from the other preparations of the run. */
  readonly name: string;
  /** The preparation that it adds to; by default only the logins and an empty database. */
  readonly from?: Preparation;
  fill(server: Embedded, dataDir: string): Promise<void>;
}

export interface PreparedServer extends Embedded {
  /** Folder with the files of the server and the key of stored credentials. */
  readonly dataDir: string;
  /** URL of a database of the server for the superuser. */
  superuserUrl(database: string): string;
  /** Stops the server and deletes its folder. */
  remove(): Promise<void>;
}

/** Only the logins and an empty database. */
export const empty: Preparation = { name: 'empty', fill: async () => {} };

/** The tables of these entities, without data. */
export function migrated(name: string, entities: Readonly<Record<string, Entity>>, publicUrl: string): Preparation {
  return {
    name,
    async fill({ url }, dataDir) {
      const key = await loadKey(undefined, dataDir);
      const store = await openStore({ databaseUrl: url, publicUrl, entities, key });
      await migrate(store);
      await store.close();
    },
  };
}

/** The tables of the document, without data. */
export const documentTables = migrated('document', documented, 'http://localhost:4000');

/**
 * Starts a separate PostgreSQL in a temporary folder. Its files are a copy of those that the first caller of
 * the run prepared.
 */
export async function startPrepared(
  preparation: Preparation,
  settings: Readonly<Record<string, string>> = {},
): Promise<PreparedServer> {
  if (CITUS_URL !== undefined) return startOnCluster(CITUS_URL, preparation);
  const dataDir = await mkdtemp(join(tmpdir(), 'unified-test-'));
  const prepared = await preparedFiles(preparation);
  if (prepared !== null) await copy(prepared, dataDir);
  const server = await startEmbedded({ dataDir, settings: { ...HASTY, ...recording, ...settings } });
  await recordService(dataDir, server.url);
  const remembered = (await recall(dataDir)) ?? expect.fail('the server has no password');
  if (prepared === null) await fillAll(preparation, server, dataDir);
  let stopped: Promise<void> | undefined;
  const stop = () => (stopped ??= keepStatements(dataDir, server.url).finally(() => server.stop()));
  return {
    ...server,
    dataDir,
    superuserUrl: (database) => superuserUrl(remembered, database),
    stop,
    async remove() {
      await stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/**
 * Folder of a stopped server that was prepared in this run, by this call if necessary. Null outside a run, or if the server
 * stores its files elsewhere because its user cannot access the temporary folder.
 */
async function preparedFiles(preparation: Preparation): Promise<string | null> {
  const folder = process.env[RUN_FOLDER];
  if (folder === undefined) return null;
  const files = join(folder, preparation.name);
  const late = `Another test file has been preparing ${preparation.name} for ${PREPARED_IN} seconds.`;
  const lock = await until(() => tryLock(`${files}.lock`, 'exclusive'), PREPARED_IN, late);
  try {
    if (!(await exists(files))) await prepare(preparation, files);
  } finally {
    lock.release();
  }
  return (await exists(join(files, 'postgres'))) ? files : null;
}

/** Fills an empty server. */
async function fillAll(preparation: Preparation, server: Embedded, dataDir: string): Promise<void> {
  if (preparation.from) await fillAll(preparation.from, server, dataDir);
  await preparation.fill(server, dataDir);
}

async function prepare(preparation: Preparation, files: string): Promise<void> {
  const draft = await mkdtemp(`${files}.draft-`);
  const start = preparation === empty ? null : await preparedFiles(preparation.from ?? empty);
  if (start !== null) await copy(start, draft);
  const server = await startEmbedded({ dataDir: draft, settings: { ...HASTY, ...SMALL } });
  if (start === null) await fillAll(preparation, server, draft);
  else await preparation.fill(server, draft);
  await server.stop();
  await forgetPort(draft);
  await rename(draft, files);
}

/** Copies the files of a stopped server with their owners. */
async function copy(from: string, to: string): Promise<void> {
  await run('cp', ['-a', `${from}/.`, to]);
}

/** Servers that start from copies would otherwise all try the same port first. */
async function forgetPort(dataDir: string): Promise<void> {
  const file = join(dataDir, 'postgres.json');
  const { port: _, ...kept } = JSON.parse(await readFile(file, 'utf8'));
  await writeFile(file, JSON.stringify(kept), { mode: 0o600 });
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
