import { readFile, readlink, rename, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DataDirectoryError } from './data-directory-error.ts';
import { tryLock } from './file-lock.ts';
import { USERS_LOCK } from './users.ts';

interface Host {
  readonly name: string;
  /** The same for all processes that can see each other and reach each other at 127.0.0.1, and for no others. */
  readonly identity: string;
}

/**
 * Refuses a folder that processes of another host, or of another container, use: they share its files, but cannot see this
 * process, and a second server would damage the database. Call it while holding the start lock, before this process joins the
 * users. Requires file locks that are shared between hosts, as on NFS 4 and on local disks that containers share. Does nothing
 * outside Linux, where processes cannot read the identity of their host. Throws `DataDirectoryError`.
 */
export async function refuseOtherHost(dataDir: string): Promise<void> {
  const host = await thisHost();
  if (host === undefined) return;
  const file = join(dataDir, 'host.json');
  const before = await hostIn(file);
  if (before?.identity === host.identity) return;
  const alone = tryLock(join(dataDir, USERS_LOCK), 'exclusive');
  if (alone === null && before !== undefined) {
    throw new DataDirectoryError(
      `Processes on another host, ${before.name}, use the database in ${dataDir}: the embedded PostgreSQL serves only one host or container.`,
      'Stop them, or move the installation to your own PostgreSQL, which any number of hosts can use: stop them, then run `npm run admin -- move --to <DATABASE_URL>`.',
    );
  }
  alone?.release();
  await writeFile(`${file}.${process.pid}`, `${JSON.stringify(host)}\n`);
  await rename(`${file}.${process.pid}`, file);
}

async function hostIn(file: string): Promise<Host | undefined> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  return text === undefined ? undefined : JSON.parse(text);
}

async function thisHost(): Promise<Host | undefined> {
  if (process.platform !== 'linux') return undefined;
  const boot = (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim();
  // Containers on one host have networks and processes of their own.
  const spaces = [await readlink('/proc/self/ns/net'), await readlink('/proc/self/ns/pid')];
  return { name: hostname(), identity: [boot, ...spaces].join(' ') };
}
