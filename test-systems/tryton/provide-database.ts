import { execFile } from 'node:child_process';
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cache, databaseFile, exists, seededFile } from './database.ts';
import type { Series } from './series.ts';

const run = promisify(execFile);

/** Puts a copy of the seeded database into `dir`. If the cache has none, or with `fresh`, it is built first. */
export async function provideDatabase(
  series: Series,
  dir: string,
  options: { readonly fresh: boolean },
): Promise<void> {
  const seeded = await seededFile(series);
  if (options.fresh || !(await exists(seeded))) await buildOnce(series, options.fresh);
  await mkdir(join(dir, 'data'), { recursive: true });
  await copyFile(seeded, databaseFile(dir));
}

/** If several processes need a missing database, one builds it and the others wait. */
async function buildOnce(series: Series, fresh: boolean): Promise<void> {
  await mkdir(cache, { recursive: true });
  const build = [process.execPath, join(import.meta.dirname, 'build.ts'), series.name, ...(fresh ? ['--fresh'] : [])];
  await run('/usr/bin/flock', [join(cache, `lock-${series.name}`), ...build], { maxBuffer: 100_000_000 });
}
