import { execFile } from 'node:child_process';
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cache, databaseFile, exists, seededFile } from './database.ts';

const run = promisify(execFile);

/** Puts a copy of the seeded database into `dir`. If the cache has none, or with `fresh`, it is built first. */
export async function provideDatabase(dir: string, options: { readonly fresh: boolean }): Promise<void> {
  const seeded = await seededFile();
  if (options.fresh || !(await exists(seeded))) await buildOnce(options.fresh);
  await mkdir(join(dir, 'data'), { recursive: true });
  await copyFile(seeded, databaseFile(dir));
}

/** If several processes need a missing database, one builds it and the others wait. */
async function buildOnce(fresh: boolean): Promise<void> {
  await mkdir(cache, { recursive: true });
  const build = [process.execPath, join(import.meta.dirname, 'build.ts'), ...(fresh ? ['--fresh'] : [])];
  await run('/usr/bin/flock', [join(cache, 'lock'), ...build], { maxBuffer: 100_000_000 });
}
