import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cache, type Kind, seededFile } from './database.ts';
import { copyDatabase, exists } from './storage.ts';

const run = promisify(execFile);

/** Puts a copy of the seeded database into `dir`. If the cache has none, or with `fresh`, it is built first. */
export async function provideDatabase(kind: Kind, dir: string, options: { readonly fresh: boolean }): Promise<void> {
  const seeded = await seededFile(kind);
  if (options.fresh || !(await exists(seeded))) await buildOnce(kind, options.fresh);
  await mkdir(join(dir, 'data'), { recursive: true });
  await copyDatabase(seeded, kind.storage.pathIn(dir));
}

/** If several processes need a missing database, one builds it and the others wait. */
async function buildOnce({ series, storage }: Kind, fresh: boolean): Promise<void> {
  await mkdir(cache, { recursive: true });
  const build = [process.execPath, join(import.meta.dirname, 'build.ts'), series.name, storage.name];
  const lock = join(cache, `lock-${series.name}-${storage.name}`);
  await run('/usr/bin/flock', [lock, ...build, ...(fresh ? ['--fresh'] : [])], { maxBuffer: 100_000_000 });
}
