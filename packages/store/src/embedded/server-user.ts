import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** System user that PostgreSQL runs as; null means the user of this process. */
export interface ServerUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/**
 * PostgreSQL refuses to run as root. As root, this returns the user `postgres`, created if the machine has none, or `nobody`
 * if no user can be created; an existing data directory keeps its `owner` (uid).
 */
export async function serverUser(owner: number | null): Promise<ServerUser | null> {
  if (process.getuid?.() !== 0) return null;
  if (owner !== null && owner !== 0) {
    const known = (await users()).find((user) => user.uid === owner);
    if (known) return known;
  }
  const user = (await userNamed('postgres')) ?? (await makeUser()) ?? (await userNamed('nobody'));
  if (user) return user;
  throw new Error(
    'PostgreSQL refuses to run as root and this machine has no user "postgres". Create one (useradd --system postgres), ' +
      'run this program as another user, or set DATABASE_URL.',
  );
}

async function userNamed(name: string): Promise<ServerUser | undefined> {
  return (await users()).find((user) => user.name === name);
}

async function users(): Promise<ServerUser[]> {
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n');
  return lines.filter(Boolean).map((line) => {
    const [name = '', , uid, gid] = line.split(':');
    return { name, uid: Number(uid), gid: Number(gid) };
  });
}

/** Debian and Red Hat have `useradd`, Alpine `adduser`; an image without a shell has neither. */
async function makeUser(): Promise<ServerUser | undefined> {
  const commands = [
    ['useradd', '--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', 'postgres'],
    ['adduser', '-S', '-D', '-H', 'postgres'],
  ] as const;
  for (const [program, ...args] of commands) {
    const made = await run(program, args).then(
      () => true,
      () => false,
    );
    if (made) return userNamed('postgres');
  }
  return undefined;
}
