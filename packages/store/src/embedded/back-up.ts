import { chmod, copyFile, mkdir, readdir, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type pg from 'pg';
import { withConnection } from '../sql/own-connection.ts';
import { copyFiles, filesIn, sizeOf } from './copied-files.ts';
import { recall, superuserUrl } from './remembered.ts';

export interface BackupOptions {
  /** Folder of the embedded server, which must be running. */
  readonly dataDir: string;
  /** Folder to create. */
  readonly target: string;
  /** Called with the number of bytes copied so far, and the total number of bytes. */
  readonly onProgress?: (copied: number, total: number) => void;
}

/** What a backup contains besides the cluster. */
export interface BackupNote {
  /** RFC 3339; the database is restored as it was at this time. */
  readonly endedAt: string;
  readonly bytes: number;
}

export const NOTE = 'backup.json';
export const CLUSTER = 'postgres';
export const PASSWORDS = 'postgres.json';

/** Contents that PostgreSQL creates again: the log, of which only part is needed, and files of running processes. */
const LEFT_OUT = new Set([
  ...['pg_wal', 'pg_replslot', 'pg_dynshmem', 'pg_notify', 'pg_serial', 'pg_snapshots', 'pg_stat_tmp', 'pg_subtrans'],
]);
const LEFT_OUT_FILES = /^(postmaster\.(pid|opts)|pg_internal\.init|pgsql_tmp.*|t\d+_\d+.*|backup_label(\.old)?)$/;
/** Copied last, so that it describes no later state than the other files. */
const CONTROL = join('global', 'pg_control');

/**
 * Copies the embedded database while it is in use, with the backup functions of PostgreSQL: the files, and the part of the log
 * that makes them consistent. The folder appears under its name once it is complete. Contains passwords, but not the master
 * key.
 */
export async function backUp({ dataDir, target, onProgress = () => {} }: BackupOptions): Promise<BackupNote> {
  const remembered = await recall(await realpath(dataDir));
  if (!remembered) throw new Error(`There is no embedded database in ${dataDir}.`);
  const partial = `${target}.partial`;
  await refuseExisting(target);
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { recursive: true, mode: 0o700 });
  await chmod(partial, 0o700);
  const bytes = await withConnection(superuserUrl(remembered), (client) =>
    copyCluster(client, join(partial, CLUSTER), onProgress),
  );
  await copyFile(join(dataDir, PASSWORDS), join(partial, PASSWORDS));
  const note = { endedAt: new Date().toISOString(), bytes };
  await writeFile(join(partial, NOTE), `${JSON.stringify(note)}\n`, { mode: 0o600 });
  await rename(partial, target);
  return note;
}

async function refuseExisting(target: string): Promise<void> {
  const there = await stat(target).catch(() => undefined);
  if (there) throw new Error(`${target} exists. Name a folder that does not exist.`);
}

async function copyCluster(client: pg.Client, to: string, onProgress: (copied: number, total: number) => void) {
  const { rows: folders } = await client.query('show data_directory');
  const from: string = folders[0].data_directory;
  // Keeps the log from here on, until the database connection is closed.
  await client.query(`select pg_create_physical_replication_slot('backup_' || pg_backend_pid(), true, true)`);
  const { rows: begun } = await client.query(
    `select pg_walfile_name(lsn) as segment from pg_backup_start('backup', fast => true) lsn`,
  );
  const files = await filesIn(from, isCopied);
  const total = await sizeOf(from, files);
  let copied = 0;
  const count = (size: number) => {
    copied += size;
    onProgress(Math.min(copied, total), total);
  };
  await copyFiles({ from, to }, [...files.filter((file) => file !== CONTROL), CONTROL], count);
  const { rows: ended } = await client.query(
    `select labelfile as label, pg_walfile_name(lsn) as segment from pg_backup_stop(wait_for_archive => false)`,
  );
  await writeFile(join(to, 'backup_label'), ended[0].label, { mode: 0o600 });
  const log = await segments(join(from, 'pg_wal'), begun[0].segment, ended[0].segment);
  await copyFiles({ from: join(from, 'pg_wal'), to: join(to, 'pg_wal') }, log);
  return copied;
}

function isCopied(path: string): boolean {
  const [top = ''] = path.split('/');
  return LEFT_OUT.has(top) ? path === `${top}/` : !LEFT_OUT_FILES.test(basename(path));
}

/** Names of the log's files from one to another; they sort by position. Throws if the first one was removed. */
async function segments(folder: string, first: string, last: string): Promise<string[]> {
  const found = (await readdir(folder)).filter((name) => /^[\dA-F]{24}$/.test(name) && name >= first && name <= last);
  if (!found.includes(first) || !found.includes(last)) throw new Error('A part of the log is missing. Back up again.');
  return found.sort();
}
