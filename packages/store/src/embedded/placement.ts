import { hash } from 'node:crypto';
import { chmod, chown, cp, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Binaries } from './binaries.ts';
import type { ServerUser } from './server-user.ts';

/** Folder that another user can access on any machine, even if the service runs as root. */
const SHARED = '/var/lib/unified';

/** Location of the cluster and the programs. */
export interface Placement {
  /** Folder of the cluster; accessible to the user of the server. */
  readonly home: string;
  /** Folder with `bin`, `lib` and `share`. */
  readonly programs: string;
}

/**
 * Chooses the location of the server. Normally that is `dataDir` and the installed package. If the server runs as another user
 * who cannot access a parent folder (a checkout below /root), cluster and programs are stored in /var/lib/unified, and a file
 * in `dataDir` contains that path.
 */
export async function place(
  dataDir: string,
  binaries: Binaries,
  user: ServerUser | null,
  log: (line: string) => void,
): Promise<Placement> {
  await mkdir(dataDir, { recursive: true });
  if (user === null) return { home: dataDir, programs: binaries.root };
  await letEnter(dataDir);
  const home = (await barrier(dirname(dataDir), user)) === null ? dataDir : await sharedHome(dataDir, user, log);
  const programs = (await barrier(binaries.root, user)) === null ? binaries.root : await copyPrograms(binaries);
  return { home, programs };
}

/** The topmost parent folder of `path` that the user cannot access, or null. */
async function barrier(path: string, user: ServerUser): Promise<string | null> {
  const above = dirname(path) === path ? null : await barrier(dirname(path), user);
  if (above !== null) return above;
  const { mode, uid, gid } = await stat(path);
  const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001;
  return (mode & bit) === 0 ? path : null;
}

/** Other users may pass through the folder, but not list it. */
async function letEnter(folder: string): Promise<void> {
  const { mode } = await stat(folder);
  if ((mode & 0o111) !== 0o111) await chmod(folder, mode | 0o111);
}

async function sharedHome(dataDir: string, user: ServerUser, log: (line: string) => void): Promise<string> {
  const home = join(SHARED, hash('sha256', dataDir).slice(0, 16));
  await mkdir(home, { recursive: true, mode: 0o711 });
  await chown(home, user.uid, user.gid);
  await writeFile(join(dataDir, 'LOCATION'), `The database of this folder is stored in ${home}\n`);
  log(`User "${user.name}" cannot access ${await barrier(dirname(dataDir), user)}: the database is stored in ${home}`);
  return home;
}

async function copyPrograms(binaries: Binaries): Promise<string> {
  const target = join(SHARED, `postgresql-${binaries.version}`);
  const there = await stat(target).catch(() => null);
  if (there) return target;
  const partial = `${target}.${process.pid}`;
  await mkdir(SHARED, { recursive: true, mode: 0o755 });
  await cp(binaries.root, partial, { recursive: true, verbatimSymlinks: true });
  await rename(partial, target).catch(async (error: NodeJS.ErrnoException) => {
    await rm(partial, { recursive: true });
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
  });
  return target;
}

/** Where and how a server runs. */
export interface Plan {
  readonly dataDir: string;
  readonly placement: Placement;
  readonly user: ServerUser | null;
  readonly settings: Readonly<Record<string, string>>;
}
