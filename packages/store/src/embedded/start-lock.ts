import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isAlive, until } from './postmaster.ts';

/** Runs `work` while no other process starts or stops the server of this folder. A lock of a dead process is ignored. */
export async function withStartLock<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  const file = join(dataDir, 'starting');
  await until(() => take(file), 120, `Another process has been starting the database in ${dataDir} for two minutes.`);
  try {
    return await work();
  } finally {
    await rm(file, { force: true });
  }
}

async function take(file: string): Promise<boolean> {
  try {
    await writeFile(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  const holder = Number(await readFile(file, 'utf8').catch(() => '0'));
  if (holder > 0 && !isAlive(holder)) await rm(file, { force: true });
  return false;
}
