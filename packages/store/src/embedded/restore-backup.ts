import { copyFile, mkdir, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type BackupNote, CLUSTER, NOTE, PASSWORDS } from './back-up.ts';
import { findBinaries } from './binaries.ts';
import { clusterOf, ownerOfCluster } from './cluster.ts';
import { copyFiles, filesIn, sizeOf } from './copied-files.ts';
import { place } from './placement.ts';
import { serverUser } from './server-user.ts';

export interface RestoreOptions {
  /** Folder of a backup. */
  readonly from: string;
  /** Folder of the embedded server, without a database. */
  readonly dataDir: string;
  readonly log?: (line: string) => void;
  readonly onProgress?: (copied: number, total: number) => void;
}

/**
 * Copies a backup to a folder without a database. The next start makes the copy consistent. Throws if the folder has a
 * database, or if this release cannot read the backup.
 */
export async function restoreBackup(options: RestoreOptions): Promise<BackupNote> {
  const { from, log = () => {}, onProgress = () => {} } = options;
  const note = await noteOf(from);
  const owner = await ownerOfCluster(join(from, CLUSTER));
  await mkdir(options.dataDir, { recursive: true });
  const dataDir = await realpath(options.dataDir);
  const user = await serverUser(owner);
  const placement = await place(dataDir, await findBinaries(), user, log);
  const cluster = clusterOf(placement);
  for (const path of [join(dataDir, PASSWORDS), cluster])
    if (await exists(path)) throw new Error(`${path} exists. Move it away, or name an empty folder in DATA_DIR.`);
  const draft = `${cluster}.new`;
  await rm(draft, { recursive: true, force: true });
  const files = await filesIn(join(from, CLUSTER));
  const total = await sizeOf(join(from, CLUSTER), files);
  let copied = 0;
  await copyFiles({ from: join(from, CLUSTER), to: draft, owner: user }, files, (size) => {
    copied += size;
    onProgress(copied, total);
  });
  await rename(draft, cluster);
  // Last: without it, a start refuses the folder.
  await copyFile(join(from, PASSWORDS), join(dataDir, PASSWORDS));
  return note;
}

async function noteOf(from: string): Promise<BackupNote> {
  const text = await readFile(join(from, NOTE), 'utf8').catch((cause: unknown) => {
    throw new Error(`${from} is not a complete backup: it has no ${NOTE}.`, { cause });
  });
  return JSON.parse(text);
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}
