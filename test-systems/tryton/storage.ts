import { execFile } from 'node:child_process';
import { chmod, mkdir, open, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { startEmbedded } from '@unified/store';

const run = promisify(execFile);

export type StorageName = 'sqlite' | 'postgres';

/** The kind of database in which a server stores its data. */
export interface Storage {
  readonly name: StorageName;
  /** Ending of its files in the cache. */
  readonly ending: string;
  /** The file or folder of the database of a server in `dir`. */
  pathIn(dir: string): string;
  /** Creates an empty database with this name. */
  create(dir: string, database: string): Promise<void>;
  /** Makes the database available until `close`. */
  open(dir: string, database: string): Promise<OpenStorage>;
  /** Prepares the database, which is not open, for being copied. */
  settle(dir: string): Promise<void>;
}

export interface OpenStorage {
  /** Content of the section `database` of the configuration. */
  readonly settings: string;
  close(): Promise<void>;
}

const dataIn = (dir: string) => join(dir, 'data');

const sqlite: Storage = {
  name: 'sqlite',
  ending: '.sqlite',
  pathIn: (dir) => join(dataIn(dir), 'erp.sqlite'),
  async create(dir) {
    // Tryton finds a database only if its file exists, even an empty one.
    await (await open(this.pathIn(dir), 'w')).close();
  },
  open: async (dir) => ({ settings: `uri = sqlite://\npath = ${dataIn(dir)}`, close: async () => {} }),
  /** Moves what is only in the write-ahead log of later series to the file: the server does not when it is stopped. */
  async settle(dir) {
    const database = new DatabaseSync(this.pathIn(dir));
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    database.close();
  },
};

/** Data need not survive a crash of the machine, and there are no replicas. */
const HASTY = {
  fsync: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '128MB',
};

const postgres: Storage = {
  name: 'postgres',
  ending: '.postgres',
  pathIn: (dir) => join(dataIn(dir), 'postgres'),
  async create(dir, database) {
    await (await this.open(dir, database)).close();
  },
  async open(dir, database) {
    await mkdir(dataIn(dir), { recursive: true });
    // If the tests run as root, the server has a different user, which must reach its folder.
    for (const folder of [dir, dataIn(dir)]) await chmod(folder, 0o711);
    const server = await startEmbedded({ dataDir: this.pathIn(dir), settings: HASTY });
    const { host, username, password } = new URL(await server.createDatabase(database));
    return { settings: `uri = postgresql://${username}:${password}@${host}/`, close: () => server.stop() };
  },
  /** Servers that start from copies would otherwise all try the same port first. */
  async settle(dir) {
    const file = join(this.pathIn(dir), 'postgres.json');
    const { port: _, ...kept } = JSON.parse(await readFile(file, 'utf8'));
    await writeFile(file, JSON.stringify(kept), { mode: 0o600 });
  },
};

const all: Readonly<Record<StorageName, Storage>> = { sqlite, postgres };

/** A kind by name. Defaults to that of the environment (`TRYTON_DATABASE`), or SQLite. */
export function storageOf(name: string = process.env.TRYTON_DATABASE ?? 'sqlite'): Storage {
  if (!Object.hasOwn(all, name)) throw new Error(`There is no database ${name}: use ${Object.keys(all).join(' or ')}`);
  return all[name as StorageName];
}

/** Copies the file or folder of a database, with its owner. */
export async function copyDatabase(from: string, to: string): Promise<void> {
  await run('cp', ['-a', from, to]);
}

export async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null;
}
