import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Placement } from './placement.ts';
import type { ServerUser } from './server-user.ts';

/** Major release that the programs belong to; no other release can read the files. */
const MAJOR = '18';

/** Sort order and case rules that are the same on every machine. */
const LOCALE = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'];

/** Folder of the cluster within the location of the server. */
export function clusterOf(placement: Placement): string {
  return join(placement.home, 'postgres');
}

/** Log of the server. */
export function logOf(placement: Placement): string {
  return join(placement.home, 'postgres.log');
}

/** Owner (uid) of the cluster's files, or null when there is no cluster. Throws when it was created by another release. */
export async function ownerOfCluster(cluster: string): Promise<number | null> {
  const file = join(cluster, 'PG_VERSION');
  const version = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (version === null) return null;
  if (version.trim() !== MAJOR) {
    throw new Error(
      `${cluster} was created by PostgreSQL ${version.trim()}; this release contains ${MAJOR}. Dump it with the old release ` +
        'and restore it into an empty data directory, or set DATABASE_URL.',
    );
  }
  return (await stat(file)).uid;
}

/**
 * Creates a cluster in a temporary folder and renames it, so that an interrupted attempt leaves nothing that looks complete.
 */
export async function makeCluster(placement: Placement, user: ServerUser | null, password: string): Promise<void> {
  const draft = join(placement.home, 'postgres.new');
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { mode: 0o700 });
  const passwordFile = join(placement.home, 'initdb-password');
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (user) for (const path of [draft, passwordFile]) await chown(path, user.uid, user.gid);
  try {
    const args = [`--pgdata=${draft}`, '--username=postgres', `--pwfile=${passwordFile}`, '--auth=scram-sha-256'];
    await runProgram(placement, 'initdb', [...args, ...LOCALE], user);
  } finally {
    await rm(passwordFile);
  }
  await rename(draft, clusterOf(placement));
}

async function runProgram(placement: Placement, name: string, args: string[], user: ServerUser | null): Promise<void> {
  const child = spawn(join(placement.programs, 'bin', name), args, {
    ...identity(user),
    cwd: '/',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stop = () => child.kill();
  process.once('exit', stop);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  const [code] = await once(child, 'close');
  process.off('exit', stop);
  if (code !== 0) throw new Error(`${name} failed (${code}):\n${output}`);
}

/** Starts the server in a separate session, so that Ctrl-C reaches this process first. Returns its process. */
export async function launch(
  placement: Placement,
  user: ServerUser | null,
  settings: Readonly<Record<string, string>>,
) {
  const log = await open(logOf(placement), 'a', 0o600);
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = spawn(join(placement.programs, 'bin', 'postgres'), ['-D', clusterOf(placement), ...flags], {
    ...identity(user),
    cwd: '/',
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
  });
  await once(child, 'spawn');
  await log.close();
  child.unref();
  return child;
}

function identity(user: ServerUser | null) {
  return {
    ...(user && { uid: user.uid, gid: user.gid }),
    env: { PATH: process.env.PATH ?? '', LC_ALL: 'C', TZ: 'UTC' },
  };
}
